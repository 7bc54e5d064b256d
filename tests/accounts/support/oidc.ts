/**
 * A real authorisation server (oidc-provider): PKCE required, refresh tokens rotated, reuse revokes the family. It
 * consents automatically; its token endpoint can be slowed down or lose its answers.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import Provider from 'oidc-provider';

export interface TestIssuer {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Who signs in next. */
  account: string;
  /** The lifetime of access tokens from now on. */
  tokenSeconds: number;
  /** A delay before the token endpoint answers. */
  tokenDelayMs: number;
  /** The provider acts, but the answer is cut off. */
  loseTokenAnswers: number;
  /** Called once, after the token endpoint has acted and before its answer is read. */
  killOnAnswer: (() => void) | undefined;
  /** Grant types that the token endpoint received, in order, with the status of the answer. */
  readonly tokenRequests: { readonly grant: string; readonly status: number }[];
  readonly revocations: string[];
  /** Revokes every issued access token. */
  expireTokens(): void;
  /** `oauth.<slug>` of `helve.yaml`. */
  config(slug: string): string;
  close(): Promise<void>;
}

export async function startIssuer(redirectUri: string): Promise<TestIssuer> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = { clientId: 'helve-client', clientSecret: 'issuer-client-secret-0123456789' };
  const provider = createProvider(url, redirectUri, client, () => issuer.tokenSeconds);
  const issuer: TestIssuer = {
    url,
    ...client,
    account: 'ada',
    tokenSeconds: 3_600,
    tokenDelayMs: 0,
    loseTokenAnswers: 0,
    killOnAnswer: undefined,
    tokenRequests: [],
    revocations: [],
    expireTokens: () => {
      generation += 1;
    },
    config: (slug) =>
      [
        'oauth:',
        `  ${slug}:`,
        `    client_id: ${client.clientId}`,
        `    client_secret: ${client.clientSecret}`,
        `    authorization_endpoint: ${url}/auth`,
        `    token_endpoint: ${url}/token`,
        `    revocation_endpoint: ${url}/token/revocation`,
        `    issuer: ${url}`,
        '    token_auth: client_secret_basic',
        '',
      ].join('\n'),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  let generation = 0;
  listen(server, provider, issuer, () => generation);
  return issuer;
}

function createProvider(
  url: string,
  redirectUri: string,
  client: { clientId: string; clientSecret: string },
  tokenSeconds: () => number,
): Provider {
  const provider = new Provider(url, {
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'client_secret_basic',
      },
    ],
    features: { devInteractions: { enabled: false }, revocation: { enabled: true } },
    scopes: ['openid', 'offline_access', 'api:read', 'api:write'],
    claims: { openid: ['sub', 'email'] },
    pkce: { required: () => true },
    rotateRefreshToken: true,
    issueRefreshToken: async () => true,
    ttl: { AccessToken: tokenSeconds, RefreshToken: 86_400, Session: 600, Interaction: 600, Grant: 86_400 },
    findAccount: async (_context: unknown, id: string) => ({
      accountId: id,
      claims: async () => ({ sub: id, email: `${id}@example.com` }),
    }),
    interactions: { url: (_context: unknown, interaction: { uid: string }) => `/interaction/${interaction.uid}` },
    cookies: { keys: ['a test key'] },
  });
  // All of it runs on this machine without TLS.
  provider.proxy = false;
  return provider;
}

function listen(server: Server, provider: Provider, issuer: TestIssuer, generation: () => number): void {
  const callback = provider.callback();
  const seen = new Map<string, number>();
  server.on('request', async (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? '';
    if (path.startsWith('/interaction/')) return interact(provider, issuer, request, response);
    if (path.startsWith('/me')) {
      const token = request.headers.authorization ?? '';
      const first = seen.get(token) ?? generation();
      seen.set(token, first);
      // The provider cannot revoke a token before its own clock ends it.
      if (first < generation())
        return void response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":"invalid_token"}');
    }
    if (path === '/token') watchToken(issuer, request, response);
    if (path === '/token/revocation') issuer.revocations.push(path);
    return callback(request, response);
  });
}

/** Logs in and consents without asking. */
async function interact(
  provider: Provider,
  issuer: TestIssuer,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { prompt, params, session, grantId } = await provider.interactionDetails(request, response);
  if (prompt.name === 'login') {
    await provider.interactionFinished(request, response, { login: { accountId: issuer.account } });
    return;
  }
  const known = grantId === undefined ? undefined : await provider.Grant.find(grantId);
  const grant =
    known ?? new provider.Grant({ accountId: session?.accountId ?? '', clientId: String(params.client_id) });
  grant.addOIDCScope(String(params.scope));
  const consent = { grantId: await grant.save() };
  await provider.interactionFinished(request, response, { consent }, { mergeWithLastSubmission: true });
}

/** Slow, or cut off after acting. */
function watchToken(issuer: TestIssuer, request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  const end = response.end.bind(response);
  response.end = ((...given: Parameters<typeof end>) => {
    const grant = new URLSearchParams(Buffer.concat(chunks).toString()).get('grant_type') ?? '';
    issuer.tokenRequests.push({ grant, status: response.statusCode });
    void setTimeout(issuer.tokenDelayMs).then(() => {
      if (issuer.loseTokenAnswers > 0) {
        issuer.loseTokenAnswers -= 1;
        return response.destroy();
      }
      const { killOnAnswer } = issuer;
      issuer.killOnAnswer = undefined;
      killOnAnswer?.();
      return end(...given);
    });
    return response;
  }) as typeof response.end;
}
