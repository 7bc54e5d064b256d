/** Generates code for objects. */
import { isPlainObject } from '../../util/canonical.js';
import type { SchemaNode } from '../graph.js';
import { requiredNames } from '../keywords/objects.js';
import { own } from '../run.js';
import { constant, type Emitter, literal, variable } from './emitter.js';

export function objectStatements(emitter: Emitter, node: SchemaNode, value: string, nesting: number): string {
  const { schema, dialect } = node;
  if (!isPlainObject(schema)) return '';
  const properties = own(schema, 'properties');
  const members = isPlainObject(properties) ? properties : {};
  const names = Object.keys(members).filter((name) => members[name] !== undefined);
  const required = new Set(dialect.validation ? requiredNames({ schema }) : []);
  const rest = own(schema, 'additionalProperties');
  const count = rest === false && names.length > 0 ? variable(emitter) : undefined;
  // Missing members are tested first, because that test is the fastest.
  const lines = [...required].map((name) => `if (${findMember(value, name)} === undefined) return false;`);
  lines.push(dialect.validation ? sizeStatements(emitter, schema, value) : '');
  if (count) lines.push(`let ${count} = ${names.filter((name) => required.has(name)).length};`);
  for (const name of names) {
    const isRequired = required.has(name);
    lines.push(memberStatements(emitter, node, { value, name, part: members[name], isRequired, count, nesting }));
  }
  if (rest === false) lines.push(closedStatements(emitter, names, value, count));
  else if (rest !== undefined && rest !== true) lines.push(restStatements(emitter, node, names, value, nesting));
  return lines.filter((line) => line !== '').join('\n');
}

/** Inherited names need an own-property check; for all other names a plain read is enough. */
const findMember = (value: string, name: string): string =>
  name in Object.prototype ? `own(${value}, ${literal(name)})` : `${value}[${literal(name)}]`;

interface Member {
  readonly value: string;
  readonly name: string;
  readonly part: unknown;
  readonly isRequired: boolean;
  readonly count: string | undefined;
  readonly nesting: number;
}

function memberStatements(emitter: Emitter, node: SchemaNode, member: Member): string {
  const { value, name, count, isRequired } = member;
  const inner = variable(emitter);
  const body = emitter.statements(emitter.graph.child(node, member.part), inner, member.nesting + 1);
  const read = `const ${inner} = ${findMember(value, name)};`;
  if (isRequired) return body.trim() === '' ? '' : `${read}\n${body}`;
  if (body.trim() === '' && count === undefined) return '';
  return `${read}\nif (${inner} !== undefined) {\n${count ? `${count}++;\n` : ''}${body}\n}`;
}

/** If the value has as many members as known ones that are present, it has no others. */
function closedStatements(
  emitter: Emitter,
  names: readonly string[],
  value: string,
  count: string | undefined,
): string {
  const known = new Set(names);
  const hasOther = (members: Readonly<Record<string, unknown>>): boolean =>
    Object.keys(members).some((name) => members[name] !== undefined && !known.has(name));
  const test = `if (${constant(emitter, hasOther)}(${value})) return false;`;
  if (!count) return test;
  return `for (const name in ${value}) ${count}--;\nif (${count} < 0) ${test}`;
}

function restStatements(
  emitter: Emitter,
  node: SchemaNode,
  names: readonly string[],
  value: string,
  nesting: number,
): string {
  const { schema } = node;
  const rest = isPlainObject(schema) ? own(schema, 'additionalProperties') : undefined;
  const [name, inner] = [variable(emitter), variable(emitter)];
  const outside = emitter.cost;
  emitter.cost = 10;
  const body = emitter.statements(emitter.graph.child(node, rest), inner, nesting + 1);
  const { cost } = emitter;
  emitter.cost = outside;
  if (body.trim() === '') return '';
  const known = names.length === 0 ? '' : ` || ${constant(emitter, new Set(names))}.has(${name})`;
  return `for (const ${name} of Object.keys(${value})) {
const ${inner} = ${value}[${name}];
if (${inner} === undefined${known}) continue;
if ((run.left -= ${cost}) < 0) spend(run, 0);
${body}
}`;
}

function sizeStatements(emitter: Emitter, schema: Readonly<Record<string, unknown>>, value: string): string {
  const least = own(schema, 'minProperties');
  const most = own(schema, 'maxProperties');
  if (typeof least !== 'number' && typeof most !== 'number') return '';
  const fits = (members: Readonly<Record<string, unknown>>): boolean => {
    const size = Object.keys(members).filter((name) => members[name] !== undefined).length;
    return !(typeof least === 'number' && size < least) && !(typeof most === 'number' && size > most);
  };
  return `if (!${constant(emitter, fits)}(${value})) return false;`;
}
