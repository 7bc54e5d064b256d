/** Schemas that no code is generated for: too rare to implement twice. */
import type { JsonSchema } from '../../domain/json.js';
import { isPlainObject } from '../../util/canonical.js';
import type { Dialect } from '../dialect.js';
import { own } from '../run.js';

const rare = ['contains', 'unevaluatedProperties', 'unevaluatedItems', 'dependencies', 'dependentRequired'].concat([
  'dependentSchemas',
  'propertyNames',
  'patternProperties',
  'contentEncoding',
  'contentMediaType',
]);
/** Functions with more members are no longer optimised by the engine. */
const maxProperties = 300;

export function isLeftToEvaluate(schema: JsonSchema, dialect: Dialect): boolean {
  if (dialect.year === 0 && typeof own(schema, '$ref') === 'string') return false;
  if (rare.some((keyword) => own(schema, keyword) !== undefined)) return true;
  const properties = own(schema, 'properties');
  const required = own(schema, 'required');
  return (
    (isPlainObject(properties) && Object.keys(properties).length > maxProperties) ||
    (Array.isArray(required) && required.length > maxProperties)
  );
}
