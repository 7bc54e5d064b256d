/** Verdicts on values, made when the first value comes: by generated code where it is worth it, by `evaluate` otherwise. */
import { evaluate } from './evaluate.js';
import { generate } from './generate/index.js';
import type { Graph } from './graph.js';
import { createRun, type SchemaIssue, steps, Unjudged } from './run.js';

/** Most schemas meet a value or two in the life of a process: code is written for those that are asked again. */
const worthCode = 3;
/** Steps that are spent without code. */
const few = 150_000;
/** Steps that are spent to say why. */
const some = 600_000;

export interface Validator {
  /** True or false; or why the value cannot be judged within bounds. */
  judge(value: unknown): boolean | string;
  /** Of a value that is not valid: at least one, at most ten. */
  issues(value: unknown): SchemaIssue[];
}

export function createValidator(graph: Graph): Validator {
  const trial = (value: unknown): boolean => evaluate(graph, graph.root, value, createRun(few), undefined, undefined);
  const slow = (value: unknown): boolean => evaluate(graph, graph.root, value, createRun(steps), undefined, undefined);
  let fast: ((value: unknown) => boolean) | undefined;
  let uses = 0;
  return {
    judge(value) {
      if (fast) return within(fast, value);
      uses += 1;
      if (uses < worthCode) {
        const verdict = within(trial, value);
        // More than is done without code; with it, it may be little.
        if (typeof verdict === 'boolean') return verdict;
        uses = worthCode;
      }
      if (uses === worthCode) fast = generate(graph);
      return within(fast ?? slow, value);
    },
    issues(value) {
      const issues: SchemaIssue[] = [];
      within(() => evaluate(graph, graph.root, value, createRun(some, issues), undefined, undefined), value);
      return issues.length > 0 ? issues : [{ path: '', message: 'does not match the schema' }];
    },
  };
}

function within(test: (value: unknown) => boolean, value: unknown): boolean | string {
  try {
    return test(value);
  } catch (error) {
    if (error instanceof Unjudged) return error.reason;
    // The stack, which a caller may have used up for the most part already.
    if (error instanceof RangeError) return 'is nested too deeply to be compared with the schema: send a flatter value';
    throw error;
  }
}
