/** Refusals from code in another process: it cannot throw a `HelveError` across, so it returns the parts of one. */
import { type ErrorCode, HelveError } from '../domain/errors.js';

export interface ProcessRefusal {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint?: string | undefined;
}

export type ProcessAnswer<Value> = { readonly value: Value } | { readonly refusal: ProcessRefusal };

/** Returns the value of an answer, or throws the refusal as a `HelveError`. */
export function answeredValue<Value>(answer: ProcessAnswer<Value>): Value {
  if ('value' in answer) return answer.value;
  throw refusedThere(answer.refusal);
}

export function refusedThere({ code, message, hint }: ProcessRefusal): HelveError {
  return new HelveError(code, message, hint === undefined ? {} : { hint });
}
