/** A GitHub App shows that it is itself with a short JWT, and is given a token for one installation that lives an hour. */
import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { ExchangeContext, ExchangedToken } from '../../domain/connection.js';
import { HelveError } from '../../domain/errors.js';

/** GitHub refuses an `iat` ahead of its own clock, and an `exp` more than ten minutes ahead. */
const clockSkewSeconds = 60;
const lifetimeSeconds = 9 * 60;

export async function exchangeAppToken({ fields, service, now }: ExchangeContext): Promise<ExchangedToken> {
  const { app_id = '', installation_id = '', private_key = '' } = fields;
  const seconds = Math.floor(now.getTime() / 1_000);
  const { SignJWT } = await import('jose');
  const assertion = await new SignJWT()
    .setProtectedHeader({ alg: 'RS256' })
    .setIssuer(app_id)
    .setIssuedAt(seconds - clockSkewSeconds)
    .setExpirationTime(seconds + lifetimeSeconds)
    .sign(readKey(private_key));
  const { token, expires_at } = await service.json<{ readonly token: string; readonly expires_at: string }>({
    method: 'POST',
    path: `/app/installations/${encodeURIComponent(installation_id)}/access_tokens`,
    headers: { authorization: `Bearer ${assertion}` },
    // One token more that nobody uses does no harm.
    repeatable: true,
  });
  const lives = Math.floor((Date.parse(expires_at) - now.getTime()) / 1_000);
  return { accessToken: token, ...(Number.isFinite(lives) ? { expiresInSeconds: Math.max(0, lives) } : {}) };
}

/** GitHub hands out PKCS#1, which `jose` alone does not read. A key from an environment variable may have `\n` written out. */
function readKey(pem: string): KeyObject {
  try {
    const key = createPrivateKey(pem.replaceAll('\\n', '\n').trim());
    if (key.asymmetricKeyType === 'rsa') return key;
  } catch {
    // What Node says of a key may repeat a part of it.
  }
  throw new HelveError('invalid_input', 'private_key is not an RSA private key in PEM form', {
    hint: 'Paste the whole file that GitHub made, from -----BEGIN to the end of the last line.',
    details: { field: 'private_key' },
  });
}
