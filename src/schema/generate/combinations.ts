/** Generates code for keywords that apply other schemas to the same value. */
import { isPlainObject } from '../../util/canonical.js';
import type { SchemaNode } from '../graph.js';
import { own } from '../run.js';
import { listTypes } from '../types.js';
import { type Emitter, getCall, variable } from './emitter.js';
import { typeTest } from './type-test.js';
import { memberExpression } from './values.js';

export function combinationStatements(emitter: Emitter, node: SchemaNode, value: string, nesting: number): string {
  const { schema, dialect } = node;
  if (!isPlainObject(schema)) return '';
  const lines = [refer(emitter, node, '$ref', value)];
  if (dialect.year === 0 && typeof own(schema, '$ref') === 'string') return lines.join('');
  if (dialect.draft === '2020-12') lines.push(refer(emitter, node, '$dynamicRef', value));
  if (dialect.draft === '2019-09') lines.push(refer(emitter, node, '$recursiveRef', value));
  for (const part of toList(schema, 'allOf') ?? [])
    lines.push(emitter.statements(emitter.graph.child(node, part), value, nesting));
  const expressions = (keyword: string): string[] | undefined =>
    toList(schema, keyword)?.map((part) => expression(emitter, emitter.graph.child(node, part), value));
  const alternatives = expressions('anyOf');
  if (alternatives) lines.push(`if (!(${alternatives.join(' || ')})) return false;`);
  const one = expressions('oneOf');
  if (one) lines.push(emitOneOf(emitter, one));
  const not = own(schema, 'not');
  if (not !== undefined) lines.push(`if (${expression(emitter, emitter.graph.child(node, not), value)}) return false;`);
  if (dialect.year >= 2019 || dialect.draft === 'draft-07') lines.push(condition(emitter, node, value, nesting));
  return lines.filter((line) => line !== '').join('\n');
}

function toList(schema: Readonly<Record<string, unknown>>, keyword: string): readonly unknown[] | undefined {
  const list = own(schema, keyword);
  return Array.isArray(list) ? list : undefined;
}

function refer(
  emitter: Emitter,
  node: SchemaNode,
  keyword: '$ref' | '$dynamicRef' | '$recursiveRef',
  value: string,
): string {
  const reference = isPlainObject(node.schema) ? own(node.schema, keyword) : undefined;
  if (typeof reference !== 'string') return '';
  const target = emitter.graph.refer(node, keyword, reference);
  return target ? `if (!${getCall(emitter, target, value, 'd + 1')}) return false;` : 'return false;';
}

function emitOneOf(emitter: Emitter, expressions: readonly string[]): string {
  const count = variable(emitter);
  const lines = expressions.map((test) => `if (${test}) { if (++${count} > 1) return false; }`);
  return `let ${count} = 0;\n${lines.join('\n')}\nif (${count} !== 1) return false;`;
}

const onlyType = new Set([
  'type',
  'nullable',
  'enum',
  'const',
  'title',
  'description',
  'default',
  'examples',
  'example',
]);

/** An expression for whether the node allows a value: short tests are inlined, longer ones call a function. */
function expression(emitter: Emitter, node: SchemaNode, value: string): string {
  const { schema, dialect } = node;
  emitter.cost += 2;
  if (typeof schema === 'boolean') return String(schema);
  if (isPlainObject(schema) && dialect.validation && Object.keys(schema).every((keyword) => onlyType.has(keyword))) {
    const types = listTypes(schema);
    const allowed = own(schema, 'enum');
    const only = dialect.draft === 'draft-04' ? undefined : own(schema, 'const');
    const tests = [
      types ? typeTest(types, value) : '',
      Array.isArray(allowed) ? memberExpression(emitter, allowed, value) : '',
      only === undefined ? '' : memberExpression(emitter, [only], value),
    ].filter((test) => test !== '');
    return tests.length === 0 ? 'true' : tests.map((test) => `(${test})`).join(' && ');
  }
  return getCall(emitter, node, value);
}

function condition(emitter: Emitter, node: SchemaNode, value: string, nesting: number): string {
  const { schema } = node;
  const test = isPlainObject(schema) ? own(schema, 'if') : undefined;
  if (!isPlainObject(schema) || test === undefined) return '';
  const branch = (keyword: string): string => {
    const part = own(schema, keyword);
    return part === undefined ? '' : emitter.statements(emitter.graph.child(node, part), value, nesting + 1);
  };
  const asked = expression(emitter, emitter.graph.child(node, test), value);
  return `if (${asked}) {\n${branch('then')}\n} else {\n${branch('else')}\n}`;
}
