/** Servers over stdio: the official ones, and one that does what an untrusted program may do. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { HelveError } from '../../domain/errors.js';
import { createMcpProvider, type McpProvider } from './index.js';
import { createLineReader } from './line-reader.js';
import type { McpServerSource } from './source.js';
import { callTool } from './testing/servers.js';

const official = (name: string) => fileURLToPath(import.meta.resolve(`@modelcontextprotocol/${name}/dist/index.js`));
const faulty = fileURLToPath(new URL('fixtures/faulty-server.mjs', import.meta.url));
const ends: (() => Promise<unknown>)[] = [];
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'helve-mcp-'));
});
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function open(script: string, args: readonly string[] = [], env: Record<string, string> = {}, firstRetryMs?: number) {
  const reported: HelveError[] = [];
  const transport: McpServerSource['transport'] = {
    kind: 'stdio',
    command: process.execPath,
    args: [script, ...args],
    env,
  };
  const provider = createMcpProvider({
    servers: [{ slug: 'test', title: 'Test', transport }],
    reportError: (_, error) => reported.push(error),
    ...(firstRetryMs === undefined ? {} : { firstRetryMs }),
  });
  ends.push(() => provider.close());
  return { provider, reported };
}

let files = 0;
function openFaulty(mode = '') {
  const log = join(folder, `log-${files++}`);
  const lines = async () => (await readFile(log, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '');
  return { ...open(faulty, [mode, log]), lines };
}

const pidOf = (lines: readonly string[], word: string): number =>
  Number(lines.find((line) => line.startsWith(`${word} `))?.split(' ')[1]);
const lives = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
const ranCall = (provider: McpProvider, tool: string, signal?: AbortSignal) =>
  callTool(provider, 'test', tool, signal === undefined ? {} : { signal });

describe('official servers', () => {
  test('R-mcp-client: everything: text, image, resource links, structured content, progress', async () => {
    const { provider, reported } = open(official('server-everything'));
    expect(await callTool(provider, 'test', 'echo', { input: { message: 'hi' } })).toEqual({ output: 'Echo: hi' });
    const { content } = await ranCall(provider, 'get-tiny-image');
    expect(content?.map(({ type }) => type)).toEqual(['text', 'image', 'text']);
    const links = await callTool(provider, 'test', 'get-resource-links', { input: { count: 2 } });
    expect(links.content?.filter(({ type }) => type === 'resource_link')).toHaveLength(2);
    const weather = await callTool(provider, 'test', 'get-structured-content', { input: { location: 'Chicago' } });
    expect(weather.output).toMatchObject({ temperature: expect.any(Number) });
    const seen: number[] = [];
    await callTool(provider, 'test', 'trigger-long-running-operation', {
      input: { duration: 0.2, steps: 2 },
      progress: ({ progress }) => seen.push(progress),
    });
    expect(seen).toEqual([1, 2]);
    expect(reported.map(({ message }) => message)).toEqual([
      'The tool simulate-research-query is not offered: it runs only as a task',
    ]);
  });

  test('R-mcp-client: filesystem: reads in its folder and is refused outside it; its own warnings make tools destructive', async () => {
    await writeFile(join(folder, 'note.txt'), 'remember');
    const { provider } = open(official('server-filesystem'), [folder]);
    const read = (path: string) => callTool(provider, 'test', 'read_text_file', { input: { path } });
    expect((await read(join(folder, 'note.txt'))).output).toEqual({ content: 'remember' });
    await expect(read('/etc/hostname')).rejects.toMatchObject({
      code: 'tool_failed',
      message: expect.stringContaining('outside allowed directories'),
    });
    const risks = Object.fromEntries((await provider.tools('test')).map(({ id, risk }) => [id.name, risk]));
    expect(risks).toMatchObject({ write_file: 'destructive', read_text_file: 'write' });
  });

  test('R-mcp-client: memory: what one call writes another reads', async () => {
    const { provider } = open(official('server-memory'), [], { MEMORY_FILE_PATH: join(folder, 'memory.json') });
    const entities = [{ name: 'Ann', entityType: 'person', observations: ['likes tea'] }];
    await callTool(provider, 'test', 'create_entities', { input: { entities } });
    expect((await ranCall(provider, 'read_graph')).output).toEqual({ entities, relations: [] });
    await expect(callTool(provider, 'test', 'create_entities', { input: { entities: 'none' } })).rejects.toMatchObject({
      code: expect.stringMatching(/^(?:tool_failed|invalid_input)$/),
    });
  });
});

test('R-mcp-client: a server of 2026-07-28 over stdio is spoken to in that revision', async () => {
  const script = `
    import { Server } from '@modelcontextprotocol/server';
    import { serveStdio } from '@modelcontextprotocol/server/stdio';
    serveStdio(() => {
      const server = new Server({ name: 'new', version: '1' }, { capabilities: { tools: {} } });
      const name = 'era';
      server.setRequestHandler('tools/list', () => ({ tools: [{ name, inputSchema: { type: 'object' } }] }));
      server.setRequestHandler('tools/call', (_, { mcpReq }) => ({
        content: [{ type: 'text', text: mcpReq.envelope ? 'modern' : 'legacy' }],
      }));
      return server;
    });`;
  const transport = { kind: 'stdio' as const, command: process.execPath, args: ['--input-type=module', '-e', script] };
  const provider = createMcpProvider({ servers: [{ slug: 'test', transport }] });
  ends.push(() => provider.close());
  expect(await ranCall(provider, 'era')).toEqual({ output: 'modern' });
});

describe('an untrusted program', () => {
  test('R-mcp-client: it gets PATH, HOME and the variables of its configuration, and nothing of ours', async () => {
    process.env.HELVE_TEST_SECRET = 'hush';
    try {
      const { provider } = open(faulty, [], { GIVEN: 'yes' });
      const env = JSON.parse((await ranCall(provider, 'env')).output as string) as Record<string, string>;
      expect(Object.keys(env).filter((name) => !['PATH', 'HOME', 'GIVEN'].includes(name))).toEqual([]);
      expect(env.GIVEN).toBe('yes');
    } finally {
      delete process.env.HELVE_TEST_SECRET;
    }
  });

  test('R-mcp-client: lines that are not messages, and replies to no request, are ignored', async () => {
    const { provider } = openFaulty();
    expect((await ranCall(provider, 'garbage')).output).toBe('survived');
    expect((await ranCall(provider, 'fine')).output).toBe('fine');
  });

  test('R-mcp-client: an answer that is too large or too deep ends the call immediately, and not the server', async () => {
    const { provider, lines } = openFaulty();
    for (const tool of ['huge', 'deep']) {
      const started = performance.now();
      await expect(ranCall(provider, tool)).rejects.toMatchObject({ code: 'too_large' });
      expect(performance.now() - started).toBeLessThan(5_000);
    }
    expect((await ranCall(provider, 'fine')).output).toBe('fine');
    expect((await lines()).filter((line) => line.startsWith('started'))).toHaveLength(1);
  });

  test.each([
    ['no_result', 'neither a result nor an error'],
    ['both', 'both a result and an error'],
    ['own_id_as_text', 'no request of Helve has'],
    ['text_id', '"what"'],
    ['null_id', 'no request of Helve has'],
  ])('R-mcp-client: an answer that violates the protocol ends the call immediately: %s', async (tool, words) => {
    const { provider, lines } = openFaulty();
    const signal = AbortSignal.timeout(20_000);
    await expect(ranCall(provider, tool, signal)).rejects.toMatchObject({
      code: 'outcome_unknown',
      message: expect.stringContaining(words),
    });
    expect(signal.aborted).toBe(false);
    expect((await ranCall(provider, 'fine')).output).toBe('fine');
    expect((await lines()).filter((line) => line.startsWith('started'))).toHaveLength(1);
  });

  test('R-mcp-client: of two calls, the one whose answer breaks the protocol ends, and the other is answered', async () => {
    const { provider } = openFaulty();
    const [broken, fine] = await Promise.allSettled([ranCall(provider, 'both'), ranCall(provider, 'fine')]);
    expect(broken).toMatchObject({ status: 'rejected', reason: { code: 'outcome_unknown' } });
    expect(fine).toMatchObject({ status: 'fulfilled', value: { output: 'fine' } });
  });

  test('R-mcp-client: 5,000 notices in a row do not stop it', async () => {
    const { provider } = openFaulty();
    expect((await ranCall(provider, 'bomb')).output).toBe('survived');
    expect((await ranCall(provider, 'fine')).output).toBe('fine');
  });

  test('R-mcp-client: after a crash the outcome is unknown, the call is not repeated, and the next one has a new child', async () => {
    const { provider, lines, reported } = openFaulty();
    await expect(ranCall(provider, 'crash')).rejects.toMatchObject({ code: 'outcome_unknown' });
    expect((await ranCall(provider, 'fine')).output).toBe('fine');
    const seen = await lines();
    expect(seen.filter((line) => line === 'tools/call crash')).toHaveLength(1);
    expect(seen.filter((line) => line.startsWith('started'))).toHaveLength(2);
    // For the operator only.
    expect(reported.map(({ details }) => details?.stderr)).toEqual(['about to crash\n']);
  });

  test('R-mcp-client: a program that keeps ending is started less and less often, and the caller gets the remaining time', async () => {
    const { provider, lines } = openFaulty();
    const [tool] = await provider.tools('test');
    const crash = { ...tool!, ...(await provider.tools('test')).find(({ id }) => id.name === 'crash') };
    const codes: string[] = [];
    let told: unknown;
    for (let attempt = 0; attempt < 8 && told === undefined; attempt++) {
      await callTool(provider, 'test', crash).catch((error: HelveError) => {
        codes.push(error.code);
        told = error.details?.retryAfterSeconds ?? told;
      });
    }
    expect(codes.slice(0, 2)).toEqual(['outcome_unknown', 'outcome_unknown']);
    expect(codes.at(-1)).toBe('upstream_failed');
    expect(told).toBeGreaterThan(0);
    expect((await lines()).filter((line) => line.startsWith('started')).length).toBeLessThan(8);
  });

  test('R-mcp-client: a server that exits on an unknown request is contacted in the old way', async () => {
    const { provider, lines } = openFaulty('old');
    expect((await ranCall(provider, 'fine')).output).toBe('fine');
    expect((await lines()).filter((line) => /^(?:server|initialize)/.test(line))).toEqual([
      'server/discover',
      'initialize',
    ]);
  });

  test('R-mcp-client: a server that cannot be started is an empty toolkit, reported to the operator, and tried again', async () => {
    const provider = createMcpProvider({
      servers: [{ slug: 'test', transport: { kind: 'stdio', command: join(folder, 'none') } }],
      reportError: (_, error) => reported.push(error),
      firstRetryMs: 20,
    });
    const reported: HelveError[] = [];
    let changes = 0;
    provider.onChange(() => {
      changes += 1;
    });
    ends.push(() => provider.close());
    expect(await provider.tools('test')).toEqual([]);
    expect(reported[0]).toMatchObject({ code: 'upstream_failed', message: expect.stringContaining('ENOENT') });
    const body = `#!/bin/sh\nexec ${process.execPath} ${faulty}\n`;
    await writeFile(join(folder, 'none'), body, { mode: 0o755 });
    for (let wait = 0; wait < 200 && changes === 0; wait++) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(changes).toBe(1);
    expect((await ranCall(provider, 'fine')).output).toBe('fine');
  });

  test('R-mcp-client: one that answers neither the end of its input nor SIGTERM is ended with its children', async () => {
    const { provider, lines } = openFaulty('stubborn');
    await ranCall(provider, 'fine');
    const pids = [pidOf(await lines(), 'started'), pidOf(await lines(), 'child')];
    expect(pids.map(lives)).toEqual([true, true]);
    await provider.close();
    for (let wait = 0; wait < 50 && pids.some(lives); wait++) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(pids.map(lives)).toEqual([false, false]);
  });

  test('R-mcp-client: a server that is still connecting ends immediately when Helve stops', async () => {
    const { provider, lines } = openFaulty('mute');
    const listing = provider.tools('test').catch((error: HelveError) => error.code);
    await vi.waitFor(async () => expect(await lines()).toHaveLength(2), 20_000);
    const pid = pidOf(await lines(), 'started');
    expect(lives(pid)).toBe(true);
    await provider.close();
    await vi.waitFor(() => expect(lives(pid)).toBe(false), 5_000);
    await listing;
  });

  test('R-mcp-client: 1 GB on stderr neither fills memory nor holds a call', async () => {
    const { provider, lines } = openFaulty('flood');
    await ranCall(provider, 'fine');
    const before = process.memoryUsage().rss;
    let slowest = 0;
    for (let call = 0; call < 20; call++) {
      const started = performance.now();
      expect((await ranCall(provider, 'fine')).output).toBe('fine');
      slowest = Math.max(slowest, performance.now() - started);
    }
    expect(slowest).toBeLessThan(2_000);
    for (let wait = 0; wait < 1_000 && !(await lines()).includes('poured'); wait++) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(await lines()).toContain('poured');
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1_048_576);
  });

  test('R-mcp-client: cancelling a call does not wait for a silent server', async () => {
    const { provider } = openFaulty();
    await provider.tools('test');
    const stop = new AbortController();
    const call = callTool(provider, 'test', 'silent', { signal: stop.signal });
    setTimeout(() => stop.abort(), 50);
    await expect(call).rejects.toMatchObject({ code: 'outcome_unknown' });
    expect((await ranCall(provider, 'fine')).output).toBe('fine');
  });
});

test('R-mcp-client: lines are put together from any pieces, and one that is dropped does not take the next', () => {
  const lines: string[] = [];
  const dropped: string[] = [];
  const reader = createLineReader(
    { lineBytes: 20, depth: 2 },
    (line) => lines.push(line),
    (why) => dropped.push(why),
  );
  for (const byte of Buffer.from('{"a":"é"}\n\r\nxxxxxxxxxxxxxxxxxxxxx\n[[1]]\n[[[1]]]\n"[[[["\n{"b":"\\"[[["}\n')) {
    reader.take(Buffer.from([byte]));
  }
  expect(lines).toEqual(['{"a":"é"}', '[[1]]', '"[[[["', '{"b":"\\"[[["}']);
  expect(dropped).toEqual(['a message of more than 20 bytes', 'a message nested deeper than 2 levels']);
});

test.each([
  [{ slug: 'Bad Slug', transport: { kind: 'http', url: 'http://a' } }, /a slug has/],
  [{ slug: 'a', transport: { kind: 'http', url: 'file:///etc' } }, /http\(s\)/],
  [{ slug: 'a', transport: { kind: 'http', url: 'https://u:p@a' } }, /password/],
  [{ slug: 'a', transport: { kind: 'stdio', command: 'x' }, auth: 'oauth' }, /over stdio/],
  [
    { slug: 'a', transport: { kind: 'http', url: 'http://a' }, auth: { header: 'x', value: 'fixed' } },
    /names no field/,
  ],
] as const)('R-mcp-client: the source %j is refused at the start', (source, message) => {
  expect(() => createMcpProvider({ servers: [source] })).toThrow(message);
  const fine = { slug: 'a', transport: { kind: 'http' as const, url: 'http://a' } };
  expect(() => createMcpProvider({ servers: [fine, fine] })).toThrow(/two servers with this slug/);
});
