/**
 * Compiles a graph to JavaScript that returns only a verdict, as fast as possible. If code generation is forbidden, or
 * there would be too much code, there is none, and `evaluate` does everything.
 */
import { evaluate } from '../evaluate.js';
import type { Graph, SchemaNode } from '../graph.js';
import { createRun, spend, steps, tooDeep } from '../run.js';
import { type Emitter, functionName, getCall, TooMuchCode } from './emitter.js';
import { statements } from './statements.js';

/** Maximum depth of references into a value. */
const maxDepth = 400;

export function generate(graph: Graph): ((value: unknown) => boolean) | undefined {
  const run = createRun(steps);
  const emitter: Emitter = {
    graph,
    run,
    constants: [],
    functions: new Map(),
    waiting: [],
    statements: (node, value, nesting) => statements(emitter, node, value, nesting),
    cost: 0,
    parts: 0,
    names: 0,
  };
  const root = getCall(emitter, graph.root, 'value', '0');
  try {
    for (let node = emitter.waiting.pop(); node; node = emitter.waiting.pop())
      emitter.functions.set(node, writeFunction(emitter, node));
  } catch (error) {
    if (error instanceof TooMuchCode) return undefined;
    throw error;
  }
  return assemble(emitter, root);
}

function writeFunction(emitter: Emitter, node: SchemaNode): string {
  emitter.cost = 1;
  const body = statements(emitter, node, 'v', 0);
  return `function ${functionName(node)}(v, d) {
if ((run.left -= ${emitter.cost}) < 0) spend(run, 0);
if (d > ${maxDepth}) throw tooDeep;
${body}
return true;
}`;
}

function assemble(emitter: Emitter, root: string): ((value: unknown) => boolean) | undefined {
  const { constants, functions, graph, run } = emitter;
  const names = constants.map((_value, index) => `k${index}`);
  const source = `'use strict';
const { run, spend, tooDeep, slow, steps, isArray, own } = tools;
const [${names.join(', ')}] = constants;
${[...functions.values()].join('\n')}
return (value) => { run.left = steps; run.depth = 0; return ${root}; };`;
  const slow = (node: SchemaNode, value: unknown): boolean => evaluate(graph, node, value, run, undefined, undefined);
  const own = (value: object, name: string): unknown =>
    Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
  const tools = { run, spend, tooDeep, slow, steps, isArray: Array.isArray, own };
  try {
    return new Function('tools', 'constants', source)(tools, constants) as (value: unknown) => boolean;
  } catch (error) {
    // The process forbids it, or the code is too large for the parser: `evaluate` is used instead.
    if (error instanceof EvalError || error instanceof RangeError) return undefined;
    throw error;
  }
}
