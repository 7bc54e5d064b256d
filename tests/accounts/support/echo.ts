/** A service and its OAuth server in one, which repeat all received secrets in every form and location. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { formsOf } from './encodings.js';

export interface Echo {
  readonly url: string;
  /** Secrets to look for in requests, by name; grows with those that the service itself issues. */
  readonly secrets: Record<string, string>;
  /** Names of the secrets that did arrive. */
  readonly arrived: Set<string>;
  /** Whether the token endpoint issues tokens, or refuses with an echo. */
  tokens: 'give' | 'refuse';
  close(): Promise<void>;
}

export async function startEcho(): Promise<Echo> {
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const echo: Echo = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    secrets: {},
    arrived: new Set(),
    tokens: 'give',
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const url = new URL(request.url ?? '/', echo.url);
    const basic = Buffer.from(request.headers.authorization?.replace(/^Basic /, '') ?? '', 'base64').toString();
    const form = Array.from(new URLSearchParams(body).values()).join('\n');
    const plain = decodeURIComponent(request.url ?? '');
    const members = body.startsWith('{') ? Object.values(JSON.parse(body) as object) : [];
    const cookies = decodeURIComponent(request.headers.cookie ?? '');
    const all = [
      ...url.searchParams.values(),
      ...members,
      plain,
      JSON.stringify(request.headers),
      cookies,
      decodeURIComponent(basic),
    ];
    const sent = [...all, body, form, JSON.stringify(form)].join('\n').replaceAll('\\n', '\n');
    const verifier = new URLSearchParams(body).get('code_verifier');
    if (verifier !== null) echo.secrets.verifier = verifier;
    const found = Object.entries(echo.secrets).filter(([, secret]) => sent.includes(secret));
    for (const [name] of found) echo.arrived.add(name);
    const forms = found.flatMap(([, secret]) => formsOf(secret).map(({ text }) => text));
    const pieces = [...forms, request.url ?? '', basic, request.headers.authorization ?? '', body];
    if (url.pathname.endsWith('/token')) return token(echo, response, body, pieces);
    answer(response, url.pathname.split('/').at(-1) ?? '', pieces);
  }
  return echo;
}

let given = 0;

function token(echo: Echo, response: ServerResponse, body: string, pieces: readonly string[]): void {
  const headers = { 'content-type': 'application/json' };
  if (echo.tokens === 'refuse') {
    const refusal = { error: 'invalid_grant', error_description: pieces.join(' '), error_uri: body };
    response.writeHead(400, headers).end(JSON.stringify(refusal));
    return;
  }
  given += 1;
  echo.secrets[`access token ${given}`] = `canary-access-${given}-Zk3/9+x=Qw~7pLmN2`;
  echo.secrets[`refresh token ${given}`] = `canary-refresh-${given}-aB4/8+y=Rv~6oKlM1`;
  const fields = {
    access_token: echo.secrets[`access token ${given}`],
    refresh_token: echo.secrets[`refresh token ${given}`],
    token_type: 'bearer',
    expires_in: 3_600,
    more: pieces,
    scope: 'openid',
  };
  response.writeHead(200, headers).end(JSON.stringify(fields));
}

const inHeader = (text: string): string => text.replace(/[^\x21-\x7e ]/g, ' ').slice(0, 4_000);

function answer(response: ServerResponse, mode: string, pieces: readonly string[]): void {
  const json = JSON.stringify({
    pieces,
    joined: pieces.join(' and '),
    nested: { [pieces[0] ?? 'none']: pieces[1] ?? null },
  });
  const type = (value: string) => ({ 'content-type': value });
  const page = `<html><body>${pieces.join('<br>')}</body></html>`;
  const headers = Object.fromEntries(pieces.slice(0, 14).map((piece, index) => [`x-echo-${index}`, inHeader(piece)]));
  const acts: Record<string, () => unknown> = {
    me: () =>
      response.writeHead(200, type('application/json')).end(JSON.stringify({ id: '7', name: pieces.join(' ') })),
    ok: () => response.writeHead(200, type('application/json')).end(json),
    text: () => response.writeHead(200, type('text/plain')).end(pieces.join('\n')),
    headers: () => response.writeHead(200, { ...type('application/json'), ...headers }).end('{}'),
    binary: () => response.writeHead(200, type('application/octet-stream')).end(pieces.join('\n')),
    huge: () => response.writeHead(200, type('application/json')).end(JSON.stringify(Array(60).fill(pieces))),
    notjson: () => response.writeHead(200, type('application/json')).end(`${pieces.join(' ')} {`),
    redirect: () =>
      response.writeHead(302, { location: `/elsewhere?${encodeURIComponent(pieces.join(' ')).slice(0, 3_000)}` }).end(),
    status: () => response.writeHead(418, inHeader(pieces.join(' ')).slice(0, 500), type('application/json')).end(json),
    bad: () => response.writeHead(400, type('application/json')).end(JSON.stringify({ message: pieces.join(' ') })),
    page: () => response.writeHead(404, type('text/html')).end(page),
    failing: () => response.writeHead(500, type('text/plain')).end(pieces.join(' ')),
    forbidden: () => response.writeHead(403, type('application/json')).end(json),
    unauthorised: () => response.writeHead(401, type('application/json')).end(json),
    limited: () => response.writeHead(429, { ...type('application/json'), 'retry-after': '1000' }).end(json),
  };
  const act = acts[mode];
  if (act) act();
  else response.writeHead(200, type('application/json')).end('{}');
}

export const harmless = [
  'ok',
  'text',
  'headers',
  'binary',
  'huge',
  'notjson',
  'redirect',
  'status',
  'bad',
  'page',
  'failing',
  'forbidden',
];
