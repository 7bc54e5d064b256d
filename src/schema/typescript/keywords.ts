/** Returns only the keywords of a schema that its draft knows: in another draft the same word is an annotation. */
import { isPlainObject } from '../../util/canonical.js';
import type { Dialect } from '../dialect.js';
import type { Place } from '../references.js';

export type Schema = Readonly<Record<string, unknown>>;

const order = ['draft-04', 'draft-06', 'draft-07', '2019-09', '2020-12'];
const since: Readonly<Record<string, number>> = {
  const: 1,
  propertyNames: 1,
  if: 2,
  dependentRequired: 3,
  dependentSchemas: 3,
  unevaluatedProperties: 3,
  prefixItems: 4,
};
const until: Readonly<Record<string, number>> = { dependencies: 2, additionalItems: 3 };
/** The keywords that do not count if a metaschema omits the validation vocabulary. */
const validation = ['const', 'dependentRequired', 'enum', 'maxItems', 'maxProperties', 'minItems', 'required', 'type'];

/** The schema at that place, as an object. */
export function schemaAt(place: Place): Schema {
  const schema = isPlainObject(place.schema) ? place.schema : {};
  const { dialect } = place.resource;
  if (dialect.tool) return schema;
  const dropped = Object.keys(schema).filter((keyword) => !counts(keyword, schema[keyword], dialect));
  return dropped.length === 0
    ? schema
    : Object.fromEntries(Object.entries(schema).filter(([keyword]) => !dropped.includes(keyword)));
}

function counts(keyword: string, value: unknown, dialect: Dialect): boolean {
  const draft = order.indexOf(dialect.draft);
  const first = Object.hasOwn(since, keyword) ? (since[keyword] ?? 0) : 0;
  const last = Object.hasOwn(until, keyword) ? (until[keyword] ?? 4) : 4;
  if (draft < first || draft > last || (keyword === 'items' && Array.isArray(value) && draft === 4)) return false;
  return dialect.validation || !validation.includes(keyword);
}
