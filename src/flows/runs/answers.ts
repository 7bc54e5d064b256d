/** What a program gets from its ledger: a tool's output, or an error that it can catch. */
import type { ErrorBody } from '../../domain/errors.js';
import type { JsonValue } from '../../domain/json.js';
import type { StoredEffect } from '../../domain/run.js';

/** `effect`: it was not made, but noted in a plan. */
export type Answer =
  | { readonly ok: true; readonly output: JsonValue; readonly effect?: StoredEffect }
  | { readonly ok: false; readonly error: ErrorBody };

/** Reads an answer as the ledger holds it. */
export const readAnswer = (text: string): Answer => JSON.parse(text) as Answer;

/** The error that a call of a program throws, inside and outside of the sandbox. */
export class ToolCallError extends Error {
  readonly code: string;
  readonly hint: string | undefined;
  readonly details: unknown;
  readonly retryable: boolean;

  constructor({ code, message, hint, details, retryable }: ErrorBody) {
    super(message);
    this.name = 'ToolError';
    this.code = code;
    this.hint = hint;
    this.details = details;
    this.retryable = retryable;
  }
}
