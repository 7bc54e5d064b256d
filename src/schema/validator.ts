/** Creates verdicts on values on first use: by generated code if it pays off, otherwise by `evaluate`. */
import { evaluate } from './evaluate.js';
import { generate } from './generate/index.js';
import type { Graph } from './graph.js';
import { createRun, type SchemaIssue, steps, Unjudged } from './run.js';

/** Most schemas check only a value or two per process: code is generated for those that are used more often. */
const worthCode = 3;
/** Maximum steps without generated code. */
const few = 150_000;
/** Maximum steps to find the reasons. */
const some = 600_000;

export interface Validator {
  /** Returns true or false, or why the value cannot be judged within bounds. */
  judge(value: unknown): boolean | string;
  /** For an invalid value: at least one issue, at most ten. */
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
        // Over the limit without code; with code it may take little.
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
    // Stack overflow; a caller may have used up most of the stack already.
    if (error instanceof RangeError) return 'is nested too deeply to be compared with the schema: send a flatter value';
    throw error;
  }
}
