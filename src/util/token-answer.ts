/** The answer of a token endpoint (RFC 6749, 5.1). */
import type { ExchangedToken } from '../domain/connection.js';
import { HelveError } from '../domain/errors.js';
import { objectOrEmpty } from './canonical.js';
import { defined } from './defined.js';

/** Returns the token. Throws `upstream_failed`, naming the host, with `hint`, if there is none. */
export function readTokenAnswer(answer: unknown, tokenUrl: string, hint?: string): ExchangedToken {
  const { access_token: accessToken, expires_in } = objectOrEmpty(answer);
  if (typeof accessToken !== 'string' || accessToken === '')
    throw new HelveError(
      'upstream_failed',
      `${new URL(tokenUrl).host} answered without an access token`,
      defined({ hint }),
    );
  const seconds = Number(expires_in);
  return { accessToken, ...defined({ expiresInSeconds: seconds > 0 ? seconds : undefined }) };
}
