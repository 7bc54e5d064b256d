/**
 * Turns an untrusted JSON Schema into one that is safe to compile, to check values against and to show. Keywords that only the
 * server can afford to check (patterns without a linear-time matcher here, recursion, `uniqueItems` of long lists)
 * are removed. The copy accepts everything that the original accepts, except texts that are too long for their pattern. A
 * schema that cannot be made safe is refused with the reason.
 */

import type { JsonSchema } from '../../domain/json.js';
import { isUsablePattern, satisfies } from '../../schema/index.js';
import { isPlainObject } from '../../util/canonical.js';
import { schemaKeywords, schemaListKeywords, schemaMapKeywords } from '../../util/tool-definition.js';
import { hiddenCharacters, visibleStart, visibleText } from '../../util/visible-text.js';
import { limits } from './limits.js';

export type Admitted = { readonly schema: JsonSchema } | { readonly refused: string };

interface Admission {
  readonly root: unknown;
  /** The number of schemas behind a reference, with all its own references followed. */
  readonly sizes: Map<string, number>;
  /** References that are being followed: meeting one again means recursion. */
  readonly following: string[];
  /** The schemas that contain such a reference. Without them the rest is a tree. */
  readonly recursive: Set<object>;
}

/** Keywords that change how references resolve, or that nothing here checks. */
const dropped = new Set(['$anchor', '$dynamicAnchor', '$dynamicRef', '$id', '$recursiveAnchor', '$recursiveRef', 'id']);
const maxDepth = 40;

/** Returns the safe copy, or the reason why there is none. Does not throw. */
export function admitSchema(raw: unknown): Admitted {
  if (!isPlainObject(raw)) return { refused: 'its schema is not an object' };
  try {
    const admission: Admission = { root: raw, sizes: new Map(), following: ['#'], recursive: new Set() };
    const size = measureSize(raw, admission, 0);
    if (size > limits.schemaNodes) throw new Error(`its schema expands to more than ${limits.schemaNodes} schemas`);
    const schema = copy(raw, admission) as JsonSchema;
    // Compiles at its first use: better now than during a call.
    satisfies(schema, {});
    return { schema };
  } catch (error) {
    return { refused: visibleText(error instanceof Error ? error.message : String(error)).slice(0, 300) };
  }
}

function measureSize(schema: unknown, admission: Admission, depth: number): number {
  if (!isPlainObject(schema)) return 1;
  if (depth > maxDepth) throw new Error(`its schema is nested deeper than ${maxDepth} levels`);
  let size = 1;
  for (const [keyword, value] of Object.entries(schema)) {
    for (const part of subschemas(keyword, value)) size += measureSize(part, admission, depth + 1);
  }
  if (typeof schema.$ref !== 'string') return size;
  if (!admission.following.includes(schema.$ref)) return size + sizeBehind(schema.$ref, admission);
  admission.recursive.add(schema);
  return size;
}

function sizeBehind(reference: string, admission: Admission): number {
  const { following, sizes } = admission;
  const known = sizes.get(reference);
  if (known !== undefined) return known;
  const target = resolve(admission.root, reference);
  if (following.length >= maxDepth) throw new Error(`its references are nested deeper than ${maxDepth} levels`);
  following.push(reference);
  const size = measureSize(target, admission, 0);
  following.pop();
  sizes.set(reference, size);
  return size;
}

function resolve(root: unknown, reference: string): unknown {
  const shown = visibleText(reference.slice(0, 100));
  if (!/^#(?:\/|$)/.test(reference)) throw new Error(`its schema refers to ${shown}, which is not within it`);
  let place: unknown = root;
  for (const token of decodeURIComponent(reference.slice(1)).split('/').slice(1)) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
    const holder = place as Record<string, unknown>;
    if (typeof place !== 'object' || place === null || !Object.hasOwn(holder, name)) {
      throw new Error(`its schema refers to ${shown}, which does not exist`);
    }
    place = holder[name];
  }
  if (!isPlainObject(place) && typeof place !== 'boolean')
    throw new Error(`its schema refers to ${shown}, which is not a schema`);
  return place;
}

function subschemas(keyword: string, value: unknown): readonly unknown[] {
  if (schemaMapKeywords.has(keyword) && isPlainObject(value)) return Object.values(value);
  if (schemaListKeywords.has(keyword) && Array.isArray(value)) return value;
  if (!schemaKeywords.has(keyword)) return [];
  return Array.isArray(value) ? value : [value];
}

function copy(schema: unknown, admission: Admission): unknown {
  if (!isPlainObject(schema)) return typeof schema === 'boolean' ? schema : {};
  // A recursive reference replaces its whole schema, because what it means together with other keywords is unclear.
  if (typeof schema.$ref === 'string' && admission.recursive.has(schema)) {
    return { description: `${words(schema.description) ?? 'A value'} (as in ${visibleText(schema.$ref)})` };
  }
  const result: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema))
    if (isKept(keyword, schema)) result[keyword] = copyValue(keyword, value, admission);
  return result;
}

function isKept(keyword: string, { pattern, patternProperties, maxItems }: Record<string, unknown>): boolean {
  switch (keyword) {
    case 'patternProperties':
      return false;
    // These would refuse what the dropped patterns allowed.
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return !isPlainObject(patternProperties);
    case 'pattern':
      return typeof pattern === 'string' && isUsablePattern(pattern);
    case 'uniqueItems':
      return typeof maxItems === 'number' && maxItems <= 1_000;
    default:
      return !dropped.has(keyword);
  }
}

function copyValue(keyword: string, value: unknown, admission: Admission): unknown {
  if (keyword === 'title' || keyword === 'description' || keyword === '$comment') return words(value) ?? '';
  if (schemaMapKeywords.has(keyword) && isPlainObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => {
        const [hidden] = hiddenCharacters(name);
        if (hidden)
          throw new Error(`the name of the property ${visibleText(name).slice(0, 100)} has hidden characters`);
        return [name, copy(member, admission)];
      }),
    );
  }
  if (schemaListKeywords.has(keyword) && Array.isArray(value)) return value.map((member) => copy(member, admission));
  if (!schemaKeywords.has(keyword)) return structuredClone(value);
  return Array.isArray(value) ? value.map((member) => copy(member, admission)) : copy(value, admission);
}

function words(value: unknown): string | undefined {
  return typeof value === 'string' ? visibleStart(value, limits.schemaTextCharacters) : undefined;
}
