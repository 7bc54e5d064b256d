import { type ErrorCode, HelveError } from '../../domain/errors.js';

/** Throws an error about the content of a source. */
export function refuse(code: ErrorCode, message: string, hint?: string): never {
  throw new HelveError(code, message, hint === undefined ? {} : { hint });
}
