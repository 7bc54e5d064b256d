/** Which failures of a renewal mean that an account must be connected again. All others may be temporary. */
import type { ErrorCode, HelveError } from '../domain/errors.js';

/** The codes of a service that does not accept the fields. */
const endings = new Set<ErrorCode>(['forbidden', 'invalid_input', 'unauthenticated', 'connection_inaccessible']);
/** OAuth's error names for trouble on the server's side, which some servers send with status 400. */
const trouble = /\b(?:temporarily_unavailable|slow_down|server_error)\b/;

/** Whether a failed refresh ends the account: `refreshTokens` throws `forbidden` if the server says `invalid_grant`. */
export function endsRefresh({ code }: HelveError): boolean {
  return code === 'forbidden';
}

/** Whether a failed exchange of the filled-in fields for a token ends the account. */
export function endsExchange({ code, message }: HelveError): boolean {
  return endings.has(code) && !trouble.test(message);
}
