import { HelveError } from '../../../domain/errors.js';

/** An error for the caller of a query. */
export function refusal(
  code: 'invalid_input' | 'too_large' | 'not_found' | 'upstream_failed',
  message: string,
  hint?: string,
): HelveError {
  return new HelveError(code, message, hint === undefined ? {} : { hint });
}
