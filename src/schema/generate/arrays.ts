/** Generates code for arrays. */
import { isPlainObject } from '../../util/canonical.js';
import { computeWeight, hasDuplicates, perWeight } from '../equality.js';
import type { SchemaNode } from '../graph.js';
import { itemSchemas } from '../keywords/arrays.js';
import { own, spend } from '../run.js';
import { constant, type Emitter, variable } from './emitter.js';

export function arrayStatements(emitter: Emitter, node: SchemaNode, value: string, nesting: number): string {
  const { schema, dialect } = node;
  if (!isPlainObject(schema)) return '';
  const lines = dialect.validation ? boundStatements(emitter, schema, value) : [];
  const { first, rest } = itemSchemas({ schema, dialect });
  for (const [index, part] of first.entries()) {
    const inner = variable(emitter);
    const body = emitter.statements(emitter.graph.child(node, part), inner, nesting + 1);
    if (body.trim() !== '')
      lines.push(`if (${value}.length > ${index}) {\nconst ${inner} = ${value}[${index}];\n${body}\n}`);
  }
  if (rest !== undefined && rest !== true)
    lines.push(loop(emitter, node, rest, { value, from: first.length, nesting }));
  return lines.join('\n');
}

function boundStatements(emitter: Emitter, schema: Readonly<Record<string, unknown>>, value: string): string[] {
  const lines: string[] = [];
  const least = own(schema, 'minItems');
  const most = own(schema, 'maxItems');
  if (typeof least === 'number') lines.push(`if (${value}.length < ${least}) return false;`);
  if (typeof most === 'number') lines.push(`if (${value}.length > ${most}) return false;`);
  if (own(schema, 'uniqueItems') !== true) return lines;
  const repeats = (items: readonly unknown[]): boolean => {
    spend(emitter.run, computeWeight(items, emitter.run.left / perWeight) * perWeight);
    return hasDuplicates(items);
  };
  lines.push(`if (${value}.length > 1 && ${constant(emitter, repeats)}(${value})) return false;`);
  return lines;
}

interface Loop {
  readonly value: string;
  readonly from: number;
  readonly nesting: number;
}

function loop(emitter: Emitter, node: SchemaNode, rest: unknown, { value, from, nesting }: Loop): string {
  const [index, inner] = [variable(emitter), variable(emitter)];
  const outside = emitter.cost;
  emitter.cost = 1;
  const body = emitter.statements(emitter.graph.child(node, rest), inner, nesting + 1);
  const { cost } = emitter;
  emitter.cost = outside;
  if (body.trim() === '') return '';
  return `if ((run.left -= ${value}.length * ${cost}) < 0) spend(run, 0);
for (let ${index} = ${from}; ${index} < ${value}.length; ${index}++) {
const ${inner} = ${value}[${index}];
${body}
}`;
}
