/** Generates the statements that return false for a value that a node does not allow. */
import type { JsonSchema } from '../../domain/json.js';
import { isPlainObject } from '../../util/canonical.js';
import type { SchemaNode } from '../graph.js';
import { own } from '../run.js';
import { isNullBesides, listTypes, type TypeName } from '../types.js';
import { arrayStatements } from './arrays.js';
import { combinationStatements } from './combinations.js';
import { constant, type Emitter, getCall, TooMuchCode } from './emitter.js';
import { isLeftToEvaluate } from './left-out.js';
import { objectStatements } from './objects.js';
import { tests, typeTest } from './type-test.js';
import { choiceStatements, formatStatements, numberStatements, stringStatements } from './values.js';

/** Maximum number of schemas that code is generated for. */
const maxParts = 1_000;
/** For a graph with dynamic references, whose nodes are more expensive. */
const maxDynamicParts = 300;
/** Maximum nesting of blocks; deeper parts get their own functions. */
const maxNesting = 8;

export function statements(emitter: Emitter, node: SchemaNode, value: string, nesting: number): string {
  const { schema, dialect } = node;
  emitter.cost += 3;
  emitter.parts += 1;
  if (emitter.parts > (emitter.graph.dynamic ? maxDynamicParts : maxParts)) throw new TooMuchCode();
  if (schema === true) return '';
  if (schema === false) return 'return false;';
  if (!isPlainObject(schema)) return '';
  if (nesting > maxNesting) return `if (!${getCall(emitter, node, value)}) return false;`;
  if (isLeftToEvaluate(schema, dialect)) return `if (!slow(${constant(emitter, node)}, ${value})) return false;`;
  const written = keywordStatements(emitter, node, schema, value, nesting);
  return isNullBesides(schema) && written !== '' ? `if (${value} !== null) {\n${written}\n}` : written;
}

function keywordStatements(
  emitter: Emitter,
  node: SchemaNode,
  schema: JsonSchema,
  value: string,
  nesting: number,
): string {
  const { dialect } = node;
  const reference = own(schema, '$ref');
  if (dialect.year === 0 && typeof reference === 'string') return combinationStatements(emitter, node, value, nesting);
  return [
    dialect.validation ? choiceStatements(emitter, schema, dialect, value) : '',
    byType(emitter, node, value, nesting),
    combinationStatements(emitter, node, value, nesting),
  ].join('\n');
}

/** Keywords for one type of value are guarded by a type test, unless `type` has tested that already. */
function byType(emitter: Emitter, node: SchemaNode, value: string, nesting: number): string {
  const { schema, dialect } = node;
  if (!isPlainObject(schema)) return '';
  const types = dialect.validation ? listTypes(schema) : undefined;
  const parts: [TypeName[], string, () => string][] = [
    [['string'], `typeof ${value} === 'string'`, () => stringStatements(emitter, node, value)],
    [['number', 'integer'], `typeof ${value} === 'number'`, () => numberStatements(emitter, node, value)],
    [['array'], `isArray(${value})`, () => arrayStatements(emitter, node, value, nesting)],
    [['object'], tests.object(value), () => objectStatements(emitter, node, value, nesting)],
  ];
  const refused = types ? `if (!(${typeTest(types, value)})) return false;` : '';
  const written = parts
    .filter(([names]) => !types || names.some((name) => types.includes(name)))
    .map(([, test, write]) => ({
      test,
      body: write() + (test.includes('string') ? formatStatements(emitter, node, value) : ''),
    }))
    .filter(({ body }) => body !== '');
  if (types?.length === 1) return [refused, ...written.map(({ body }) => body)].join('\n');
  return [refused, ...written.map(({ test, body }) => `if (${test}) {\n${body}\n}`)].join('\n');
}
