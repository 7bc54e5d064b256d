/**
 * A failure as Python would name it, thrown inside this folder only.
 *
 * Number code does not know where in the expression it works, so the evaluator adds the position on the way up and
 * the door (index.ts) translates the whole into the one public error class.
 */

export type PythonErrorKind =
  | 'ZeroDivisionError'
  | 'SyntaxError'
  | 'ValueError'
  | 'OverflowError'
  | 'NameError'
  | 'TypeError';

export class PythonError extends Error {
  readonly kind: PythonErrorKind;
  readonly hint: string;
  readonly position: number | undefined;

  constructor(kind: PythonErrorKind, message: string, hint: string, position?: number) {
    super(message);
    this.kind = kind;
    this.hint = hint;
    this.position = position;
  }

  /** The same failure, placed; a position already known is the more precise one and stays. */
  at(position: number): PythonError {
    return this.position === undefined ? new PythonError(this.kind, this.message, this.hint, position) : this;
  }
}

export function syntaxError(message: string, position: number, hint: string): PythonError {
  return new PythonError('SyntaxError', message, hint, position);
}

export function domainError(message = 'math domain error'): PythonError {
  return new PythonError('ValueError', message, 'The function is not defined for this argument; check its range.');
}

export function rangeError(message: string): PythonError {
  return new PythonError('OverflowError', message, 'The result does not fit; use smaller numbers or log().');
}

export function zeroDivision(message: string): PythonError {
  return new PythonError('ZeroDivisionError', message, 'The divisor is zero; check it before dividing.');
}

export function typeError(message: string, hint = 'Use ints, floats and bools of the kind the operation takes.') {
  return new PythonError('TypeError', message, hint);
}
