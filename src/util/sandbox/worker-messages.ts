/** The messages from a worker process to the plane. */
import type { ErrorCode } from '../../domain/errors.js';

export type WorkerReply =
  | { readonly answer: unknown }
  /** The function threw a `HelveError`, which is recreated on the other side. */
  | { readonly refusal: { readonly code: ErrorCode; readonly message: string; readonly hint: string | undefined } }
  | { readonly exhausted: 'stack' | 'memory' }
  /** A stack, for the operator. */
  | { readonly failure: string };
