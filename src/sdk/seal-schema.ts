/**
 * A schema that reaches the model as it is. Some SDKs rewrite schemas between the tool and the request: they copy the
 * object and change the copy. `toJSON` is copied with it, so that what is written into the request is the source again.
 */
import type { JsonSchema } from '../domain/json.js';

/** A copy that SDKs may read and change; `JSON.stringify` gives the source whatever was done to it. */
export function sealSchema(source: JsonSchema): JsonSchema {
  const exact = structuredClone(source);
  return { ...structuredClone(source), toJSON: () => exact };
}
