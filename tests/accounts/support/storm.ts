/** An unreliable service: it refuses, fails, disconnects and hangs, before or after acting, and counts its effects. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { defineTool, defineToolkit, type ToolkitDefinition } from '../../../src/domain/tool.js';

const weathers = [
  'ok',
  'ok',
  'ok',
  'ok',
  'ok',
  'limit',
  'limit-seconds',
  'limit-date',
  'busy',
  'busy-seconds',
  'fail-500',
  'fail-502',
  'fail-504',
  'fail-after',
  'reset-before',
  'reset-after',
  'reset-half',
  'hang-before',
  'hang-after',
] as const;
export type Weather = (typeof weathers)[number];

export interface Storm {
  readonly url: string;
  /** By content: how often it was done. */
  readonly effects: Map<string, number>;
  /** By content: how often it was requested. */
  readonly requests: Map<string, number>;
  /** Requests that came before the service allowed them again. */
  readonly tooEarly: string[];
  readonly seen: { readonly weather: Weather; readonly content: string; readonly method: string }[];
  /** What happens to the next request of this account. */
  weather: (account: string, content: string) => Weather;
  close(): Promise<void>;
}

/** Repeatable: the same seed gives the same storm. */
export function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export const anyWeather = (roll: () => number) => (): Weather => weathers[Math.floor(roll() * weathers.length)] ?? 'ok';

export async function startStorm(): Promise<Storm> {
  const notBefore = new Map<string, number>();
  const keys = new Set<string>();
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const storm: Storm = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    effects: new Map(),
    requests: new Map(),
    tooEarly: [],
    seen: [],
    weather: () => 'ok',
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const arrived = Date.now();
    const account = String(request.headers['x-token'] ?? '');
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const content = new URL(request.url ?? '/', storm.url).searchParams.get('content') ?? '';
    if (arrived < (notBefore.get(account) ?? 0)) storm.tooEarly.push(`${account} ${content}`);
    const weather = storm.weather(account, content);
    storm.seen.push({ weather, content, method: request.method ?? '' });
    count(storm.requests, content);
    const key = request.headers['idempotency-key'];
    const act = (): void => {
      if (request.method === 'GET' || (typeof key === 'string' && keys.has(key))) return;
      if (typeof key === 'string') keys.add(key);
      // A PUT to a name has the same effect however often it is sent.
      storm.effects.set(content, request.method === 'PUT' ? 1 : (storm.effects.get(content) ?? 0) + 1);
    };
    const wait = (until: number): void => {
      notBefore.set(account, until);
    };
    answer(weather, response, act, wait);
  }
  return storm;
}

function count(map: Map<string, number>, content: string): void {
  map.set(content, (map.get(content) ?? 0) + 1);
}

function answer(weather: Weather, response: ServerResponse, act: () => void, wait: (until: number) => void): void {
  const end = (status: number, headers: Record<string, string> = {}): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(`{"status":${status}}`);
  };
  const until = (status: number, time: number, text: string): void => {
    wait(time);
    end(status, { 'retry-after': text });
  };
  const nextSecond = Math.ceil((Date.now() + 500) / 1_000) * 1_000;
  const acts: Record<Weather, () => void> = {
    ok: () => {
      act();
      end(200);
    },
    limit: () => end(429),
    'limit-seconds': () => until(429, Date.now() + 1_000, '1'),
    'limit-date': () => until(429, nextSecond, new Date(nextSecond).toUTCString()),
    busy: () => end(503),
    'busy-seconds': () => until(503, Date.now() + 1_000, '1'),
    'fail-500': () => end(500),
    'fail-502': () => end(502),
    'fail-504': () => end(504),
    'fail-after': () => {
      act();
      end(500);
    },
    'reset-before': () => response.destroy(),
    'reset-after': () => {
      act();
      response.destroy();
    },
    'reset-half': () => {
      act();
      response.writeHead(200, { 'content-length': '100' }).write('{"status"', () => response.destroy());
    },
    'hang-before': () => undefined,
    'hang-after': act,
  };
  acts[weather]();
}

const settingsSchema = z.strictObject({ base_url: z.string() });
const inputSchema = z.strictObject({ content: z.string() });
const hints = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true };
const path = (content: string): string => `/things?content=${encodeURIComponent(content)}`;

function tools(): ReturnType<typeof defineTool>[] {
  const common = (name: string) => ({
    name,
    title: name,
    description: `To ${name} a thing`,
    inputSchema,
    settingsSchema,
  });
  return [
    defineTool({
      ...common('read'),
      capabilities: ['get thing'],
      annotations: { ...hints, readOnlyHint: true, idempotentHint: true },
      execute: async ({ content }, { service }) => service.json({ path: path(content) }),
    }),
    defineTool({
      ...common('write'),
      capabilities: ['create thing'],
      annotations: hints,
      execute: async ({ content }, { service }) =>
        service.json({ method: 'POST', path: path(content), json: { content } }),
    }),
    defineTool({
      ...common('put'),
      capabilities: ['update thing'],
      annotations: { ...hints, idempotentHint: true },
      execute: async ({ content }, { service }) =>
        service.json({ method: 'PUT', path: path(content), json: { content }, repeatable: true }),
    }),
  ];
}

/** `plain` supports no idempotency keys; `keyed` does. Both time out quickly. */
export function stormToolkits(): ToolkitDefinition[] {
  return ['plain', 'keyed'].map((slug) =>
    defineToolkit({
      slug,
      title: slug,
      description: 'A service for tests',
      category: 'tests',
      auth: {
        schemes: [
          {
            id: 'token',
            kind: 'api_key',
            title: 'Token',
            fields: [{ name: 'token', title: 'Token', secret: true }],
            placement: [{ in: 'header', name: 'x-token', value: '{token}' }],
          },
        ],
      },
      service: {
        servers: (settings) => ({ default: { url: String(settings.base_url), named: true } }),
        // Long enough for a busy machine: an answer that comes too late is not read.
        timeoutMs: 1_500,
        ...(slug === 'keyed' ? { idempotencyHeader: 'idempotency-key' } : {}),
      },
      load: async () => tools(),
    }),
  );
}
