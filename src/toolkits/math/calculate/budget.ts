/**
 * The limits that keep every answer within milliseconds, whatever is asked.
 *
 * Length and nesting bound the parse; `maximumBits` bounds each integer before it is computed; the work budget, counted
 * in rough nanoseconds, bounds many middling operations in one expression.
 */
import { PythonError } from './python-error.js';

export const maximumLength = 4_000;
/** Brackets inside brackets, as in CPython. */
export const maximumBrackets = 200;
/** Operators waiting for an operand: keeps the recursion of the parser and evaluator far from the stack's end. */
export const maximumDepth = 500;
/** About 20,000 decimal digits. */
export const maximumBits = 66_500;

const totalWork = 15_000_000;

/** Pays for work before it is done; throws once the expression has spent its budget. */
export type Spend = (work: number) => void;

export function createBudget(): Spend {
  let left = totalWork;
  return (work) => {
    left -= work;
    if (left >= 0) return;
    throw new PythonError(
      'OverflowError',
      'the calculation is too long',
      'Use smaller integers or fewer operations in one expression; split it into several calls.',
    );
  };
}
