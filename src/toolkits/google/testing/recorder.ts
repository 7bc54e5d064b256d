/**
 * A server between the tools and their counterpart: it keeps what was sent and, as the test says, passes it on, answers
 * itself, or loses the answer. Without a counterpart it is a fake, for faults and states that no counterpart has.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Sent {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly json: unknown;
  status: number;
}

export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
}

/** Undefined: passed on. `lost`: passed on, and the answer is dropped. */
type Reaction = Answer | 'lost' | undefined;

export interface Recorder {
  readonly baseUrl: string;
  readonly sent: Sent[];
  /** Stays until it is set again. */
  react: (request: Sent) => Reaction;
  close(): Promise<void>;
}

export async function startRecorder(target?: string): Promise<Recorder> {
  const sent: Sent[] = [];
  const server = createServer((request, response) => {
    void handle(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  const recorder: Recorder = {
    baseUrl: '',
    sent,
    react: () => undefined,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const one = record(request, body);
    sent.push(one);
    const reaction = recorder.react(one) ?? (one.path === '/oauth2/v2/userinfo' && !target ? ada : undefined);
    if (reaction !== undefined && reaction !== 'lost') {
      one.status = reaction.status ?? 200;
      response.writeHead(one.status, { 'content-type': 'application/json', ...reaction.headers });
      response.end(reaction.json === undefined ? undefined : JSON.stringify(reaction.json));
      return;
    }
    const answer = target === undefined ? undefined : await handOn(target, one, body);
    one.status = answer?.status ?? 0;
    if (reaction === 'lost' || answer === undefined) {
      response.destroy();
      return;
    }
    const bytes = Buffer.from(await answer.arrayBuffer());
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'application/json' });
    response.end(bytes);
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(recorder, { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

const ada: Answer = { json: { id: '1', email: 'ada@example.com' } };

function record(request: IncomingMessage, body: Buffer): Sent {
  const text = body.toString('utf8');
  const isJson = /json/.test(request.headers['content-type'] ?? '');
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)] as const),
  );
  return {
    method: request.method ?? 'GET',
    path: request.url ?? '/',
    headers,
    text,
    json: isJson && text !== '' ? JSON.parse(text) : undefined,
    status: 0,
  };
}

function handOn(target: string, { method, path, headers }: Sent, body: Buffer): Promise<Response> {
  const { host: _host, connection: _connection, 'content-length': _length, ...kept } = headers;
  return fetch(`${target}${path}`, {
    method,
    headers: kept,
    ...(body.length === 0 ? {} : { body: new Uint8Array(body) }),
  });
}
