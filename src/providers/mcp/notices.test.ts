/** A server that sends endless notifications: what it costs others, which still have an effect, and when it is cut off. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Tool } from '../../domain/tool.js';
import { createMcpProvider, type McpProvider } from './index.js';
import { limits } from './limits.js';
import { coalesced, createNoticeGate } from './notices.js';

const notice = (method: string) => ({ jsonrpc: '2.0' as const, method: `notifications/${method}` });

describe('the budget of one connection', () => {
  function gate() {
    let at = 0;
    const heard = { changes: 0, over: 0 };
    const admits = createNoticeGate({
      onListChanged: () => {
        heard.changes += 1;
      },
      onOver: () => {
        heard.over += 1;
      },
      now: () => at,
    });
    return { admits, heard, advance: (ms: number) => (at += ms) };
  }

  test.each([
    'tools/list_changed',
    'message',
    'resources/updated',
    'resources/list_changed',
    'unknown',
  ])('is spent by notifications/%s, and over once', (method) => {
    const { admits, heard } = gate();
    for (let sent = 0; sent < limits.noticeBurst; sent++) admits(notice(method));
    expect(heard.over).toBe(0);
    for (let sent = 0; sent < 20_000; sent++) expect(admits(notice(method))).toBe(false);
    expect(heard.over).toBe(1);
  });

  test('comes back with time, so that a server that lives long is not cut off for it', () => {
    const { admits, heard, advance } = gate();
    for (let second = 0; second < 1_000; second++) {
      for (let sent = 0; sent < limits.noticesPerSecond; sent++) admits(notice('message'));
      advance(1_000);
    }
    expect(heard.over).toBe(0);
  });

  test('is not touched by answers, questions and progress', () => {
    const { admits, heard } = gate();
    for (let sent = 0; sent < limits.noticeBurst * 3; sent++) {
      expect(admits({ jsonrpc: '2.0', id: sent, result: {} })).toBe(true);
      expect(admits({ jsonrpc: '2.0', id: sent, method: 'elicitation/create' })).toBe(true);
      expect(admits(notice('progress'))).toBe(true);
    }
    expect(heard.over).toBe(0);
  });
});

describe('what is asked for in a stream is done now and then', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  test('at most once in a pause that grows, and the last request is never lost', async () => {
    vi.useFakeTimers();
    let asked = 0;
    let seen = 0;
    const runs: number[] = [];
    const ask = coalesced(
      async () => {
        runs.push(Date.now());
        seen = asked;
      },
      200,
      5_000,
    );
    for (let step = 0; step < 20_000; step++) {
      asked += 1;
      ask();
      if (step % 2 === 0) await vi.advanceTimersByTimeAsync(1);
    }
    await vi.advanceTimersByTimeAsync(20_000);
    expect(seen).toBe(asked);
    expect(runs.length).toBeLessThan(12);
    for (let at = 1; at < runs.length; at++) expect(runs[at]! - runs[at - 1]!).toBeGreaterThanOrEqual(200);
    // After a pause, the next one has an effect immediately.
    const before = runs.length;
    asked += 1;
    ask();
    await vi.advanceTimersByTimeAsync(0);
    expect(runs.length).toBe(before + 1);
  });
});

/** A server that counts the reads of its list; `say` sends as many notifications as the call asks for, then answers. */
const server = `
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
let lists = 0;
let version = 0;
const tools = () => [
  { name: 'say', inputSchema: { type: 'object' } },
  { name: 'lists', inputSchema: { type: 'object' } },
  { name: 'version_' + version, inputSchema: { type: 'object' } },
];
const initialize = { protocolVersion: '2025-11-25', capabilities: { tools: { listChanged: true }, logging: {} }, serverInfo: { name: 'x', version: '1' } };
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (method === 'initialize') return send({ id, result: initialize });
  if (method === 'tools/list') { lists += 1; return send({ id, result: { tools: tools() } }); }
  if (method !== 'tools/call') return send({ id, error: { code: -32601, message: 'Method not found' } });
  const { times = 0, kind = 'tools/list_changed', change = false } = params.arguments ?? {};
  if (change) version += 1;
  for (let index = 0; index < times; index++) send({ method: 'notifications/' + kind, params: kind === 'message' ? { level: 'info', data: index } : {} });
  send({ id, result: { content: [], structuredContent: { lists } } });
});`;

describe('through a whole provider', () => {
  const opened: McpProvider[] = [];
  afterEach(() => Promise.all(opened.splice(0).map((provider) => provider.close())));

  function open() {
    const changes: string[] = [];
    const errors: { code: string; message: string }[] = [];
    const provider = createMcpProvider({
      servers: [
        {
          slug: 'talks',
          transport: { kind: 'stdio', command: process.execPath, args: ['-e', server] },
          auth: 'none',
        } as never,
      ],
      onChange: (toolkit) => changes.push(toolkit),
      reportError: (_, { code, message }) => errors.push({ code, message }),
    });
    opened.push(provider);
    // A caller knows the tool from an earlier list, whatever the server lists now.
    const known = new Map<string, Tool>();
    const call = async (name: string, input: object = {}): Promise<any> => {
      for (const tool of await provider.tools('talks')) known.set(tool.id.name, tool);
      const tool = known.get(name);
      if (!tool) throw new Error(`Unknown tool: ${name}`);
      const signal = AbortSignal.timeout(20_000);
      const caller = { kind: 'agent', id: 'a', name: 'a', workspaceId: 'w' } as const;
      return provider.execute({
        tool,
        input: input as never,
        config: {},
        executionId: 'e',
        effectKey: '0123456789abcdef0123456789abcdef',
        caller,
        signal,
        progress: () => undefined,
      });
    };
    const names = async () => (await provider.tools('talks')).map(({ id }) => id.name);
    return { changes, errors, call, names };
  }

  test('a list that did not change is not announced, however often the server says that it did', async () => {
    const { changes, call, names } = open();
    await names();
    await call('say', { times: 3_000 });
    await vi.waitFor(async () => expect((await call('lists')).output.lists).toBeGreaterThan(3), 10_000);
    // Once before each of our calls; for the notifications a handful, not thousands.
    expect((await call('lists')).output.lists).toBeLessThan(30);
    expect(changes).toEqual([]);
  });

  test('a list that did change is announced, and the last change is seen', async () => {
    const { changes, call, names } = open();
    expect(await names()).toContain('version_0');
    for (let round = 0; round < 5; round++) await call('say', { times: 200, change: true });
    await vi.waitFor(async () => expect(await names()).toContain('version_5'), 20_000);
    expect(changes.length).toBeGreaterThan(0);
    expect(changes.length).toBeLessThanOrEqual(5);
  });

  test.each([
    'tools/list_changed',
    'message',
  ])('one that goes over its budget with %s is cut off with an error', async (kind) => {
    const { errors, call, names } = open();
    await names();
    await call('say', { times: 20_000, kind }).catch(() => undefined);
    await vi.waitFor(() => expect(errors.map(({ code }) => code)).toContain('rate_limited'), 10_000);
    expect(errors.find(({ code }) => code === 'rate_limited')?.message).toContain('cut off');
    // The server is not immediately started again, only to send more.
    await expect(call('lists')).rejects.toMatchObject({
      code: 'upstream_failed',
      message: expect.stringContaining('cut off'),
      details: { retryAfterSeconds: expect.any(Number) },
    });
  });
});
