/** A server on loopback that answers as the test says, and the plain `http` that reaches it. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { OpenHttp } from '../plain-client.js';

export interface Received {
  readonly method: string;
  /** Path and query, as they arrived. */
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly text?: string | Uint8Array;
}

export interface TestServer {
  readonly url: string;
  readonly received: Received[];
  close(): Promise<void>;
}

/** `undefined` for a request that is never answered. */
export async function serve(answer: (request: Received) => Reply | undefined): Promise<TestServer> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('latin1');
      const seen = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body };
      received.push(seen);
      const reply = answer(seen);
      if (!reply) return;
      const { status = 200, headers = {}, json, text } = reply;
      const type = json === undefined ? {} : { 'content-type': 'application/json' };
      response.writeHead(status, { ...type, ...headers }).end(json === undefined ? text : JSON.stringify(json));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export const plainHttp: OpenHttp = (_limits, signal) => ({
  async fetch({ url, method = 'GET', headers = {}, body }) {
    const answer = await fetch(url, {
      method,
      headers,
      signal,
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : new Uint8Array(body) }),
    });
    const bytes = new Uint8Array(await answer.arrayBuffer());
    return {
      status: answer.status,
      statusText: answer.statusText,
      url: answer.url,
      body: bytes,
      truncated: false,
      headers: Object.fromEntries(answer.headers),
      text: () => new TextDecoder().decode(bytes),
    };
  },
});
