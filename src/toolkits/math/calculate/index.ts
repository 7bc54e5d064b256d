/**
 * `helve/calculate`: one Python expression of maths, answered as CPython answers it, without Python and without eval.
 *
 * Tokens, then a tree, then a value; nothing but numbers and bools exists inside. Length, nesting, integer size and
 * total work are bounded before they are spent, so `9**9**9` is an error at once. Every refusal is a HelveError
 * `invalid_input` whose details carry the 0-based `position` and the name of the error Python would raise.
 */
import { HelveError } from '../../../domain/errors.js';
import { createBudget, maximumLength } from './budget.js';
import { evaluate } from './evaluate.js';
import { formatValue } from './format.js';
import { parse } from './parser.js';
import { PythonError, syntaxError } from './python-error.js';
import type { Value } from './syntax.js';
import { tokenise } from './tokens.js';

/**
 * The value as JavaScript has it. An int beyond 2 ** 53 loses its last digits here, and one beyond the range of a
 * float reads as Infinity: `calculateToString` keeps every digit.
 */
export function calculate(expression: string): number | boolean {
  const value = translateErrors(() => compute(expression));
  return typeof value === 'bigint' ? Number(value) : value;
}

/** The value exactly as Python prints it: `100000000000000000001`, `3.0`, `1e-05`, `inf`, `True`. */
export function calculateToString(expression: string): string {
  return translateErrors(() => formatValue(compute(expression)));
}

function compute(expression: string): Value {
  if (typeof expression !== 'string') {
    throw syntaxError('the expression is not a string', 0, 'Pass the expression as a string: "2 * 3".');
  }
  if (expression.length > maximumLength) {
    const message = `the expression is too long: ${expression.length} characters, at most ${maximumLength}`;
    throw syntaxError(message, maximumLength, 'Split it into several calls.');
  }
  const tokens = tokenise(expression);
  if (tokens.length === 1) throw syntaxError('the expression is empty', 0, 'Write an expression: 2 * (3 + 4).');
  return evaluate(parse(tokens), createBudget());
}

function translateErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof PythonError)) throw error;
    const position = error.position ?? 0;
    throw new HelveError('invalid_input', `${error.kind} at column ${position + 1}: ${error.message}`, {
      hint: error.hint,
      details: { position, pythonError: error.kind },
      cause: error,
    });
  }
}
