/** A malicious provider: its token endpoint answers as the test says, and records every request. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface TokenRequest {
  readonly form: URLSearchParams;
  readonly authorization: string;
}

export interface Liar {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** What the token endpoint does next, and from then on. */
  answer: (response: ServerResponse, request: TokenRequest) => void;
  readonly tokenRequests: TokenRequest[];
  /** Every path that was requested, including `/me`. */
  readonly paths: string[];
  /** The identity that `/me` reports, whatever the token. */
  account: string;
  /** `oauth.<slug>` of `helve.yaml`. */
  config(slug: string, more?: readonly string[]): string;
  close(): Promise<void>;
}

let given = 0;
export const truthful = (response: ServerResponse): void => {
  given += 1;
  json(response, {
    access_token: `access-token-${given}-0123456789`,
    refresh_token: `refresh-token-${given}-0123456789`,
    token_type: 'Bearer',
    expires_in: 3_600,
    scope: 'openid offline_access api:write',
  });
};

export function json(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

export async function startLiar(): Promise<Liar> {
  const server = createServer((request, response) => void handle(liar, request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = { clientId: 'liar-client', clientSecret: 'liar-client-secret-0123456789' };
  const liar: Liar = {
    url,
    ...client,
    answer: truthful,
    tokenRequests: [],
    paths: [],
    account: 'ada',
    config: (slug, more = []) =>
      [
        'oauth:',
        `  ${slug}:`,
        `    client_id: ${client.clientId}`,
        `    client_secret: ${client.clientSecret}`,
        `    authorization_endpoint: ${url}/authorize`,
        `    token_endpoint: ${url}/token`,
        `    revocation_endpoint: ${url}/revoke`,
        ...more.map((line) => `    ${line}`),
        '',
      ].join('\n'),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return liar;
}

async function handle(liar: Liar, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url ?? '';
  liar.paths.push(path);
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  if (path === '/me') return json(response, { sub: liar.account, email: `${liar.account}@example.com` });
  if (path !== '/token') return void response.writeHead(200).end();
  const form = new URLSearchParams(Buffer.concat(chunks).toString());
  const seen = { form, authorization: request.headers.authorization ?? '' };
  liar.tokenRequests.push(seen);
  response.on('error', () => undefined);
  liar.answer(response, seen);
}
