/** Which failures of a renewal mean that an account must be connected anew. Everything else may pass by itself. */
import type { ErrorCode, HelveError } from '../domain/errors.js';

/** What a service says of fields that it does not take. */
const endings = new Set<ErrorCode>(['forbidden', 'invalid_input', 'unauthenticated', 'connection_inaccessible']);
/** OAuth's words for trouble of the server's own, which some servers send with status 400. */
const trouble = /\b(?:temporarily_unavailable|slow_down|server_error)\b/;

/** Of a refresh token: `refreshTokens` says `forbidden` where the server does (`invalid_grant`). */
export function endsRefresh({ code }: HelveError): boolean {
  return code === 'forbidden';
}

/** Of an exchange of the fields that a person filled in for a token. */
export function endsExchange({ code, message }: HelveError): boolean {
  return endings.has(code) && !trouble.test(message);
}
