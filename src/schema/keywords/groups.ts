/** Which files of this folder a schema needs: most schemas use only a keyword or two, so most files are skipped. */
import type { JsonSchema } from '../../domain/json.js';

export const groups = { value: 1, content: 2, object: 4, array: 8, combination: 16, unevaluated: 32 } as const;

const members: readonly (readonly [group: number, keywords: readonly string[]])[] = [
  [groups.value, ['type', 'enum', 'const', 'multipleOf', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum']],
  [groups.value, ['minLength', 'maxLength', 'pattern']],
  [groups.content, ['format', 'contentEncoding', 'contentMediaType']],
  [groups.object, ['required', 'properties', 'patternProperties', 'additionalProperties', 'propertyNames']],
  [groups.object, ['minProperties', 'maxProperties', 'dependencies', 'dependentRequired', 'dependentSchemas']],
  [groups.array, ['items', 'prefixItems', 'additionalItems', 'contains', 'minItems', 'maxItems', 'uniqueItems']],
  [groups.combination, ['$ref', '$dynamicRef', '$recursiveRef', 'allOf', 'anyOf', 'oneOf', 'not', 'if']],
  [groups.unevaluated, ['unevaluatedProperties', 'unevaluatedItems']],
];
const groupOf: ReadonlyMap<string, number> = new Map(
  members.flatMap(([group, keywords]) => keywords.map((keyword) => [keyword, group] as const)),
);

/** The groups of the schema's keywords, as bits. */
export function groupsIn(schema: JsonSchema): number {
  let found = 0;
  for (const keyword in schema) found |= groupOf.get(keyword) ?? 0;
  return found;
}
