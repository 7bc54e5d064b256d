/** How the code of another process says no: it cannot throw a `HelveError` across, so it answers what one is made of. */
import { type ErrorCode, HelveError } from '../domain/errors.js';

export interface ProcessRefusal {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint?: string | undefined;
}

export type ProcessAnswer<Value> = { readonly value: Value } | { readonly refusal: ProcessRefusal };

/** Throws what the other process refused with. */
export function answeredValue<Value>(answer: ProcessAnswer<Value>): Value {
  if ('value' in answer) return answer.value;
  throw refusedThere(answer.refusal);
}

export function refusedThere({ code, message, hint }: ProcessRefusal): HelveError {
  return new HelveError(code, message, hint === undefined ? {} : { hint });
}
