/**
 * A server in front of a counterpart. It keeps the requests, and can change them, lose their answers or answer them itself.
 * Without a counterpart it is a fake, for faults that no counterpart has.
 */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Seen {
  readonly method: string;
  /** Including the query. */
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

export interface Answer {
  readonly status: number;
  readonly json: unknown;
  /** Sent in place of the JSON. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Front {
  readonly url: string;
  readonly seen: Seen[];
  /** `lost`: passed on, and the answer dropped. Undefined: passed on. */
  react: (seen: Seen) => Answer | 'lost' | undefined;
  alter: (seen: Seen) => Seen;
  reset(): void;
  close(): Promise<void>;
}

export type Counterpart = (seen: Seen) => Promise<Answer>;

export async function startFront(counterpart: Counterpart): Promise<Front> {
  const server = createServer(async (request, response) => {
    const one = front.alter(await readRequest(request));
    front.seen.push(one);
    const reaction = front.react(one);
    const answer = typeof reaction === 'object' ? reaction : await counterpart(one).catch(failure);
    if (reaction === 'lost') return void response.destroy();
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    return void response.end(answer.text ?? JSON.stringify(answer.json));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const front: Front = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen: [],
    react: () => undefined,
    alter: (seen) => seen,
    reset() {
      front.seen.length = 0;
      front.react = () => undefined;
      front.alter = (seen) => seen;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return front;
}

const failure = (thrown: unknown): Answer => ({ status: 500, json: { error: { message: String(thrown) } } });

async function readRequest(request: IncomingMessage): Promise<Seen> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const body = Buffer.concat(chunks).toString('utf8');
  return { method: request.method ?? '', path: request.url ?? '', headers, body };
}
