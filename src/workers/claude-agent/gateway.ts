/**
 * The Messages API of Anthropic on 127.0.0.1, for one program on this machine that has the key: each question gets the recorded turn of
 * the run. A question that is asked again, because its answer was lost, gets the same answer and is not paid for twice.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sendAnswer, sendStream } from './answers.js';
import { type ReadMessages, readAsked } from './messages.js';
import type { WireAnswer } from './wire.js';

const maxBytes = 64 * 1024 * 1024;

export interface Gateway {
  readonly url: string;
  readonly key: string;
  close(): Promise<void>;
}

export async function startGateway(ask: (asked: ReadMessages) => Promise<WireAnswer>): Promise<Gateway> {
  const key = randomBytes(24).toString('base64url');
  const server = createServer((request, response) => {
    handle({ request, response, key, ask }).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    key,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly key: string;
  readonly ask: (asked: ReadMessages) => Promise<WireAnswer>;
}

async function handle({ request, response, key, ask }: Exchange): Promise<void> {
  if (!isKey(request.headers['x-api-key'], key)) return refuse(response, 401, 'authentication_error');
  const path = new URL(request.url ?? '/', 'http://127.0.0.1').pathname;
  if (request.method !== 'POST' || path !== '/v1/messages') return refuse(response, 404, 'not_found_error');
  const body = JSON.parse(await readBody(request)) as { readonly stream?: boolean; readonly model?: string };
  const answer = await ask(readAsked(body));
  const { model = 'helve' } = body;
  if (body.stream === true) sendStream(response, answer, model);
  else sendAnswer(response, answer, model);
}

function isKey(given: string | string[] | undefined, key: string): boolean {
  const [one, other] = [Buffer.from(String(given ?? '')), Buffer.from(key)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function refuse(response: ServerResponse, status: number, type: string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ type: 'error', error: { type, message: type } }));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw new Error('The question is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
