/** References within one JSON Schema, for code that only reads its shape; `schema/` resolves them for checks. */
import type { JsonSchema } from '../domain/json.js';
import { isPlainObject } from './canonical.js';

const maxReferences = 8;

/** Returns what a local reference in `root` points to, also over several; anything else as it is; undefined for no target. */
export function followReference(given: unknown, root: JsonSchema): unknown {
  let schema = given;
  for (let step = 0; step < maxReferences; step++) {
    if (!isPlainObject(schema) || typeof schema.$ref !== 'string') return schema;
    schema = findTarget(schema.$ref, root);
  }
  return undefined;
}

function findTarget(reference: string, root: JsonSchema): unknown {
  if (!reference.startsWith('#/')) return undefined;
  let target: unknown = root;
  for (const part of reference.slice(2).split('/')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    target = isPlainObject(target) && Object.hasOwn(target, key) ? target[key] : undefined;
  }
  return target;
}
