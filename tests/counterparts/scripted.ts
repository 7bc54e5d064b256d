/** A server for faults that no counterpart produces: lost answers, 5xx, limits. And one that records requests to another. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Counterpart } from './child.js';

export interface Seen {
  readonly method: string;
  /** With the query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Scripted extends Counterpart {
  readonly seen: Seen[];
  /** How requests are answered from now on. */
  answer: (seen: Seen, response: ServerResponse) => void | Promise<void>;
}

export async function startScripted(): Promise<Scripted> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    void readBody(request).then(async (body) => {
      const one = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body };
      seen.push(one);
      try {
        await scripted.answer(one, response);
      } catch (error) {
        // What it asks itself may have been closed at the end of a test.
        if (response.headersSent) response.destroy();
        else sendJson(response, 500, { message: String(error) });
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const scripted: Scripted = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    answer: (_, response) => sendJson(response, 500, {}),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return scripted;
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
  response.end(status === 204 || status === 304 ? undefined : JSON.stringify(body));
}

/** Passes the request and the answer on unchanged. */
export function passOnTo(target: () => string) {
  return async ({ method, url, headers, body }: Seen, response: ServerResponse): Promise<void> => {
    const { host: _, connection: __, 'content-length': ___, 'transfer-encoding': ____, ...rest } = headers;
    const answer = await fetch(target() + url, {
      method,
      headers: rest as Record<string, string>,
      ...(body === '' ? {} : { body }),
    });
    const {
      'content-length': length,
      'content-encoding': encoding,
      connection,
      ...kept
    } = Object.fromEntries(answer.headers);
    response.writeHead(answer.status, kept);
    response.end(Buffer.from(await answer.arrayBuffer()));
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
