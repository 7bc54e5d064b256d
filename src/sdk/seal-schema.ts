/**
 * A schema that reaches the model unchanged. Some SDKs rewrite schemas between the tool and the request: they copy the
 * object and change the copy. `toJSON` is copied with it, so that the request contains the source schema again.
 */
import type { JsonSchema } from '../domain/json.js';

/** Returns a copy that SDKs may read and change; `JSON.stringify` always returns the source. */
export function sealSchema(source: JsonSchema): JsonSchema {
  const exact = structuredClone(source);
  return { ...structuredClone(source), toJSON: () => exact };
}
