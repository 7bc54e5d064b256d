/** A GitHub App signs a short JWT with its key and exchanges it for a token of one installation, which is valid for an hour. */
import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { ExchangeContext, ExchangedToken } from '../../domain/connection.js';
import { HelveError } from '../../domain/errors.js';
import { defined } from '../../util/defined.js';

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
    // An unused extra token does no harm.
    repeatable: true,
  });
  const left = Math.floor((Date.parse(expires_at) - now.getTime()) / 1_000);
  return {
    accessToken: token,
    ...defined({ expiresInSeconds: Number.isFinite(left) ? Math.max(0, left) : undefined }),
  };
}

/** GitHub's keys are PKCS#1, which `jose` alone cannot read. Line breaks may be written as `\n`, as in environment variables. */
function readKey(pem: string): KeyObject {
  try {
    const key = createPrivateKey(pem.replaceAll('\\n', '\n').trim());
    if (key.asymmetricKeyType === 'rsa') return key;
  } catch {
    // Node's error message may repeat a part of the key.
  }
  throw new HelveError('invalid_input', 'private_key is not an RSA private key in PEM form', {
    hint: 'Paste the whole file that GitHub made, from -----BEGIN to the end of the last line.',
    details: { field: 'private_key' },
  });
}
