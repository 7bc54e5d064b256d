/** Signing in as a program instead of a person (MCP's client-credentials extension), with a secret or a signed assertion. */
import type { AuthScheme, ExchangeContext, ExchangedToken } from '../../domain/connection.js';
import { HelveError } from '../../domain/errors.js';
import { readTokenAnswer } from '../../util/token-answer.js';

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const assertionSeconds = 300;

/** Returns the sign-in scheme of a server. Its exchange throws `upstream_failed` or `invalid_input`. */
export function clientCredentialsScheme(server: string, discover: Required<AuthScheme>['discover']): AuthScheme {
  return {
    id: 'client_credentials',
    kind: 'service_account',
    title: 'Your own client',
    fields: [
      { name: 'client_id', title: 'Client id', secret: false },
      { name: 'client_secret', title: 'Client secret', secret: true, optional: true },
      { name: 'private_key', title: 'Private key (PEM, PKCS#8)', secret: true, optional: true },
      { name: 'algorithm', title: 'Algorithm of the key, e.g. ES256', secret: false, optional: true },
    ],
    discover,
    exchange: (context) => exchange(server, context),
  };
}

async function exchange(server: string, context: ExchangeContext): Promise<ExchangedToken> {
  const { tokenEndpoint, service, scopes } = context;
  if (tokenEndpoint === undefined) throw new HelveError('upstream_failed', 'The server names no token endpoint');
  const { form, headers } = await proof(context);
  const answer = await service.json({
    method: 'POST',
    path: tokenEndpoint,
    headers: { accept: 'application/json', ...headers },
    form: [
      ['grant_type', 'client_credentials'],
      ['resource', server],
      ...(scopes.length === 0 ? [] : [['scope', scopes.join(' ')] as const]),
      ...form,
    ],
    repeatable: true,
  });
  return readTokenAnswer(answer, tokenEndpoint);
}

type Proof = { readonly form: readonly (readonly [string, string])[]; readonly headers: Record<string, string> };

async function proof({ fields, issuer, tokenEndpoint = '', now }: ExchangeContext): Promise<Proof> {
  const { client_id: id = '', client_secret: secret, private_key: key, algorithm = 'ES256' } = fields;
  if (key !== undefined) {
    const { importPKCS8, SignJWT } = await import('jose');
    const seconds = Math.floor(now.getTime() / 1_000);
    const signer = await importPKCS8(key, algorithm).catch(() => {
      throw new HelveError('invalid_input', `private_key is not a PEM with a PKCS#8 key for ${algorithm}`);
    });
    const assertion = await new SignJWT({})
      .setProtectedHeader({ alg: algorithm })
      .setIssuer(id)
      .setSubject(id)
      .setAudience(issuer ?? tokenEndpoint)
      .setIssuedAt(seconds)
      .setExpirationTime(seconds + assertionSeconds)
      .setJti(crypto.randomUUID())
      .sign(signer);
    const form = [
      ['client_assertion_type', assertionType],
      ['client_assertion', assertion],
    ] as const;
    return { form, headers: {} };
  }
  if (secret === undefined)
    throw new HelveError('invalid_input', 'A client signs in with a client_secret or a private_key');
  const encoded = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1);
  const pair = Buffer.from(`${encoded(id)}:${encoded(secret)}`, 'utf8').toString('base64');
  return { form: [], headers: { authorization: `Basic ${pair}` } };
}
