import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestHelve, type TestHelve, testTool } from '../../testing/index.js';
import { createHttpApp, type HttpApp, type Listening, listen } from './index.js';

let helve: TestHelve;
let app: HttpApp;
let server: Listening;
let token: string;
let aborted: Promise<void>;
let release: () => void = () => undefined;

beforeAll(async () => {
  let told: () => void = () => undefined;
  aborted = new Promise((resolve) => {
    told = resolve;
  });
  const steps = testTool({
    name: 'steps',
    async execute(_input, { progress }) {
      for (const step of [1, 2, 3]) progress({ progress: step, total: 3, message: `step ${step}` });
      return { done: true };
    },
  });
  const waits = testTool({
    name: 'waits',
    async execute(_input, { signal, progress }) {
      progress({ progress: 1 });
      await new Promise<void>((resolve) => {
        release = resolve;
        signal.addEventListener('abort', () => resolve(told()));
      });
      return {};
    },
  });
  helve = await createTestHelve({ tools: [steps, waits] });
  token = (await helve.plane.issueAgentToken(helve.admin, 'tester', {})).secret;
  app = createHttpApp({ plane: helve.plane, publicUrl: 'http://localhost' });
  server = await listen({ fetch: app.fetch, host: '127.0.0.1', port: 0 });
});
afterAll(() => server.close());

function execute(tool: string, signal?: AbortSignal) {
  return fetch(`${server.url}/api/tools/execute`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream', 'content-type': 'application/json' },
    body: JSON.stringify({ tool, input: {} }),
    ...(signal ? { signal } : {}),
  });
}

const eventsOf = (text: string) =>
  [...text.matchAll(/^event: tool-data\ndata: (.*)$/gm)].map((match) => JSON.parse(match[1]!));

describe('server-sent events', () => {
  test('R-stream: a call is reported as it happens: started, progress in order, finished with the result', async () => {
    const response = await execute('steps');
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const events = eventsOf(await response.text());
    expect(events.map((event) => event.type)).toEqual(['started', 'progress', 'progress', 'progress', 'finished']);
    expect(events.slice(1, 4).map((event) => event.update.progress)).toEqual([1, 2, 3]);
    expect(events.at(-1).result).toMatchObject({ ok: true, output: { done: true } });
    expect(new Set(events.map((event) => event.executionId)).size).toBe(1);
  });

  test('R-stream: a refusal by the pipeline comes as the finished event', async () => {
    const events = eventsOf(await (await execute('nothing')).text());
    expect(events.at(-1)).toMatchObject({ type: 'finished', result: { ok: false, error: { code: 'tool_not_found' } } });
  });

  test('R-stream: a client that disconnects cancels the call', async () => {
    const leave = new AbortController();
    const response = await execute('waits', leave.signal);
    const reader = response.body!.getReader();
    let text = '';
    while (!text.includes('"progress"')) text += new TextDecoder().decode((await reader.read()).value);
    leave.abort();
    await aborted;
    const last = async () => (await helve.audited()).at(-1);
    await expect.poll(async () => (await last())?.body).toMatchObject({ error: { code: 'outcome_unknown' } });
  });

  test('R-stream: another client follows the same call; afterwards the record answers', async () => {
    let id = '';
    const call = helve.call('waits', {}, { onStart: (executionId) => (id = executionId) });
    await expect.poll(() => id).not.toBe('');
    const follow = () =>
      fetch(`${server.url}/api/tools/executions/${id}/events`, { headers: { authorization: `Bearer ${token}` } });
    const following = await follow();
    setTimeout(() => release(), 50);
    const events = eventsOf(await following.text());
    expect(events[0].type).toBe('started');
    expect(events.at(-1)).toMatchObject({ type: 'finished', executionId: id, result: { ok: true } });
    await call;
    expect(eventsOf(await (await follow()).text())).toMatchObject([{ type: 'recorded', record: { status: 'ok' } }]);
  });

  test('R-stream: an unknown execution is an ordinary 404; HEAD leaves no follower behind', async () => {
    const path = `${server.url}/api/tools/executions/unknown/events`;
    const response = await fetch(path, { headers: { authorization: `Bearer ${token}` } });
    expect([response.status, response.headers.get('content-type')]).toEqual([404, 'application/problem+json']);
    const { executionId } = await helve.call('steps');
    const head = await fetch(`${server.url}/api/tools/executions/${executionId}/events`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${token}` },
    });
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  });

  test('R-stream: a failure in the middle is an error event, without internals', async () => {
    const broken = createHttpApp({
      plane: {
        ...helve.plane,
        async execute(request) {
          request.onStart?.('e-1');
          throw new Error('inner secret');
        },
      },
      publicUrl: 'http://localhost',
    });
    const response = await broken.request('/api/tools/execute', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream', 'content-type': 'application/json' },
      body: '{"tool":"steps"}',
    });
    const text = await response.text();
    expect(text).toContain('event: error\n');
    expect(text).not.toContain('inner secret');
  });
});

describe('lines of JSON', () => {
  const headers = async () => ({
    authorization: `Bearer ${(await helve.plane.createApiKey(helve.admin, { permissions: ['audit:read'] })).secret}`,
  });

  test('R-audit: the export is the whole record, one row a line, in order', async () => {
    const response = await app.request('/api/audit/export', { headers: await headers() });
    const rows = (await response.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(rows.map((row) => row.seq)).toEqual(rows.map((_row, index) => index + 1));
    expect(rows.length).toBeGreaterThan(5);
  });

  test('R-audit: a filtered export says in its first line that it is not a whole chain, and has no other rows', async () => {
    await helve.call('steps');
    const response = await app.request('/api/audit/export?types=execution.finished&tool=custom.steps', {
      headers: await headers(),
    });
    const [first, ...rows] = (await response.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(first.partial).toMatchObject({
      filter: { types: ['execution.finished'], tool: 'custom.steps' },
      order: 'newest first',
      chain: expect.stringContaining('cannot be verified'),
    });
    expect(rows.length).toBeGreaterThan(0);
    expect(new Set(rows.map(({ type, tool }) => `${type} ${tool}`))).toEqual(
      new Set(['execution.finished Custom.steps']),
    );
    const whole = await app.request('/api/audit/export', { headers: await headers() });
    expect(JSON.parse((await whole.text()).split('\n')[0]!)).toMatchObject({ seq: 1 });
  });

  test('R-audit: a broken export reports it in its last line', async () => {
    const [event] = await helve.audited();
    const broken = createHttpApp({
      plane: {
        ...helve.plane,
        async *exportAudit() {
          yield event!;
          throw new Error('disk gone');
        },
      },
      publicUrl: 'http://localhost',
    });
    const lines = (await (await broken.request('/api/audit/export', { headers: await headers() })).text())
      .trim()
      .split('\n');
    expect(lines.map((line) => Object.keys(JSON.parse(line))).at(-1)).toEqual(['error']);
  });
});

describe('the check of the record', () => {
  const check = async (path: string, more: Record<string, string> = {}) => {
    const { secret } = await helve.plane.createApiKey(helve.admin, { permissions: ['audit:read'] });
    const response = await app.request(path, { headers: { authorization: `Bearer ${secret}`, ...more } });
    const text = await response.text();
    return [...text.matchAll(/^id: (.*)\nevent: check\ndata: (.*)$/gm)].map(([, id, data]) => ({
      id,
      event: JSON.parse(data!),
    }));
  };

  test('R-audit R-stream: it is followed to its end; the id of an event is its checkpoint, and goes on from there', async () => {
    const events = await check('/api/audit/verify/stream');
    expect(events.map(({ event }) => event.type)).toEqual(['progress', 'done']);
    const end = events.at(-1)!;
    expect(end.event).toMatchObject({ ok: true, checkpoint: end.id });
    for (const [path, more] of [
      ['/api/audit/verify/stream', { 'last-event-id': end.id! }],
      [`/api/audit/verify/stream?checkpoint=${end.id}`, {}],
    ] as const) {
      const rest = await check(path, more);
      expect(rest.at(-1)!.event).toMatchObject({ ok: true, earlier: { seq: end.event.checked } });
    }
  });

  test('attack: a checkpoint that the server did not make ends the stream with an error', async () => {
    const { secret } = await helve.plane.createApiKey(helve.admin, { permissions: ['audit:read'] });
    const forged = await app.request('/api/audit/verify/stream?checkpoint=v1.a.b.c', {
      headers: { authorization: `Bearer ${secret}` },
    });
    const text = await forged.text();
    expect(text).toContain('event: error\n');
    expect(text).toContain('"invalid_input"');
    expect(text).not.toContain('"ok":true');
  });
});
