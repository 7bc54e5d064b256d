/**
 * Exchanges the key file of a service account for an access token: the JWT bearer grant of RFC 7523. The assertion is
 * signed for the provider's own token endpoint. A key file that names another endpoint is refused, since a forged file
 * could otherwise have assertions sent anywhere.
 */
import type { ExchangeContext, ExchangedToken } from '../../domain/connection.js';
import { HelveError } from '../../domain/errors.js';
import { defined } from '../../util/defined.js';
import { readTokenAnswer } from '../../util/token-answer.js';

interface ServiceAccountKey {
  readonly client_email: string;
  readonly private_key: string;
  readonly private_key_id: string | undefined;
  readonly token_uri: string;
}

/** The scope that is needed to find out whose account it is. */
const accountScope = 'https://www.googleapis.com/auth/userinfo.email';
/** The longest lifetime that Google accepts. */
const lifetimeSeconds = 3_600;

export async function exchangeServiceAccountKey(context: ExchangeContext): Promise<ExchangedToken> {
  const key = readKey(context.fields.key ?? '');
  if (context.tokenEndpoint === undefined || key.token_uri !== context.tokenEndpoint) {
    throw new HelveError('invalid_input', `key: its token_uri is ${JSON.stringify(key.token_uri.slice(0, 200))}`, {
      hint: `Only keys for ${context.tokenEndpoint ?? 'no token endpoint'} are accepted.`,
    });
  }
  const answer = await context.service
    .json({
      method: 'POST',
      path: context.tokenEndpoint,
      form: [
        ['grant_type', 'urn:ietf:params:oauth:grant-type:jwt-bearer'],
        ['assertion', await sign(key, context)],
      ],
      // An assertion may be sent again: it only yields tokens for the same account.
      repeatable: true,
    })
    .catch((thrown: unknown) => {
      throw refusedKey(thrown);
    });
  return readTokenAnswer(answer, context.tokenEndpoint, 'Name a subject if the scopes need one.');
}

async function sign(key: ServiceAccountKey, { scopes, fields, now }: ExchangeContext): Promise<string> {
  const { importPKCS8, SignJWT } = await import('jose');
  const privateKey = await importPKCS8(key.private_key, 'RS256').catch(() => {
    throw malformed('its private_key is not an RSA key in PKCS #8');
  });
  const issuedAt = Math.floor(now.getTime() / 1_000);
  const subject = fields.subject;
  const jwt = new SignJWT({ scope: [...new Set([...scopes, accountScope])].join(' ') })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', ...defined({ kid: key.private_key_id }) })
    .setIssuer(key.client_email)
    .setAudience(key.token_uri)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + lifetimeSeconds);
  return (subject === undefined || subject === '' ? jwt : jwt.setSubject(subject)).sign(privateKey);
}

function readKey(text: string): ServiceAccountKey {
  let file: Record<string, unknown>;
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== 'object' || parsed === null) throw new Error('not an object');
    file = parsed as Record<string, unknown>;
  } catch {
    // The parser's own message would quote the key.
    throw malformed('it is not JSON');
  }
  if (file.type !== 'service_account') throw malformed('its type is not service_account');
  const { client_email, private_key, private_key_id, token_uri } = file;
  if (typeof client_email !== 'string' || typeof private_key !== 'string' || typeof token_uri !== 'string') {
    throw malformed('client_email, private_key or token_uri is missing');
  }
  return {
    client_email,
    private_key,
    token_uri,
    private_key_id: typeof private_key_id === 'string' ? private_key_id : undefined,
  };
}

/** Other failures (a lost connection, too many requests) keep their own messages. */
function refusedKey(thrown: unknown): unknown {
  if (!(thrown instanceof HelveError)) return thrown;
  const reason = thrown.details?.reason;
  if (reason !== 'invalid_grant' && reason !== 'unauthorized_client' && reason !== 'invalid_scope') return thrown;
  return new HelveError('forbidden', `The key was refused. ${thrown.message}`, {
    hint:
      reason === 'unauthorized_client'
        ? "An administrator of the domain must allow the service account's client id for these scopes and userinfo.email (domain-wide delegation)."
        : 'Check that the key was not deleted, that the clock is right, and that the subject exists.',
    details: { reason },
    cause: thrown,
  });
}

const malformed = (why: string): HelveError =>
  new HelveError('invalid_input', `key: ${why}`, {
    hint: 'Paste the whole JSON key file of the service account, as Google Cloud gave it.',
  });
