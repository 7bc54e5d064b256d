/** The lines of a process: what they say, how they belong together, and that no secret is in them wherever one is planted. */
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { afterEach, expect, test, vi } from 'vitest';
import { HelveError } from '../domain/errors.js';
import type { LogLevel } from '../domain/log.js';
import { createHttpApp } from '../surfaces/http/index.js';
import { createTestHelve, type TestHelve, testTool } from '../testing/test-helve.js';

const opened: TestHelve[] = [];
afterEach(() => Promise.all(opened.splice(0).map((one) => one.close())));

const planted = {
  bearer: 'helve_agent_plantedplantedplantedplantedplantedplanted',
  query: 'helve_link_plantedplantedplantedplantedplantedplanted',
  github: 'ghp_plantedplantedplantedplantedplanted0123',
  openai: 'sk-proj-plantedplantedplantedplantedplanted',
};

async function open(level: LogLevel) {
  const lines: string[] = [];
  const spans = new InMemorySpanExporter();
  const boom = testTool({
    name: 'zebra',
    async execute() {
      throw new HelveError('internal', `It broke with ${planted.github}`, { cause: new Error(planted.openai) });
    },
  });
  const okapi = testTool({ name: 'okapi', execute: async () => ({ key: planted.openai }) });
  const helve = await createTestHelve({
    nativeToolkits: [],
    tools: [okapi, boom],
    log: { level, write: (line) => lines.push(line) },
    tracerProvider: new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: spans })] }),
  });
  opened.push(helve);
  const app = createHttpApp({ plane: helve.plane, publicUrl: 'http://localhost', log: helve.log });
  const { secret } = await helve.plane.issueAgentToken(helve.admin, 'tester', {});
  const call = (body: object, headers: Record<string, string> = {}) =>
    app.request('/api/tools/execute', {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const read = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  return { helve, app, call, lines, read, secret, spans };
}

test('R-operate: a request and the call that it makes are two lines with one id, which the answer has too', async () => {
  const { call, read, helve, spans } = await open('info');
  const response = await call({ tool: 'okapi', input: {} }, { 'x-request-id': planted.openai });
  const { executionId } = (await response.json()) as { executionId: string };
  const requestId = response.headers.get('x-request-id');
  expect(read()).toEqual([
    expect.objectContaining({
      level: 'info',
      event: 'call.ended',
      requestId,
      executionId,
      traceId: spans.getFinishedSpans()[0]?.spanContext().traceId,
      workspaceId: helve.workspaceId,
      caller: helve.agent.id,
      door: 'api',
      tool: 'okapi',
      toolkit: 'custom',
      outcome: 'ok',
      code: 'none',
    }),
    expect.objectContaining({
      level: 'info',
      event: 'request.ended',
      requestId,
      method: 'POST',
      route: '/api/tools/execute',
      status: 200,
    }),
  ]);
  expect(Object.keys(read()[1] ?? {})).not.toContain('executionId');
  expect(requestId).not.toContain('planted');
});

test.each<[LogLevel, string[]]>([
  ['debug', ['request.ended', 'call.ended', 'error', 'call.ended']],
  ['info', ['call.ended', 'error', 'call.ended']],
  ['warn', ['error', 'call.ended']],
  ['error', ['error']],
])('R-operate: at %s the lines are these', async (level, events) => {
  const { app, helve, read } = await open(level);
  await app.request('/health');
  await helve.call('okapi');
  helve.log?.error(new Error('a disk is full'));
  // The outcome of this one is for an operator to look at.
  await helve.call('zebra');
  expect(read().map(({ event }) => event)).toEqual(events);
});

test('R-operate: attack: no line has a secret, wherever it was put', async () => {
  const { app, call, helve, lines, secret, read } = await open('debug');
  await app.request(`/admin/login?token=${planted.query}`);
  // Words that have no form of a secret: only the pattern of a path may be written.
  await app.request('/planted-words/planted?planted=planted-words');
  await app.request('/api/agents/planted-words?planted=planted-words');
  await call({ tool: 'planted-words', input: { planted: 'planted-words' }, intent: 'planted words' });
  await app.request(`/${planted.openai}`);
  await app.request(`/api/tools/workspace?agent=${planted.github}`, {
    headers: { authorization: `Bearer ${planted.bearer}`, cookie: `helve_session=${planted.query}` },
  });
  await call({ tool: planted.openai, input: {} }, { traceparent: planted.github, 'user-agent': planted.openai });
  await call({ tool: 'okapi', input: { key: planted.openai }, intent: planted.github });
  await call({ tool: 'zebra', input: { password: planted.openai } });
  helve.log?.error(new Error(`connect postgres://helve:${planted.openai}@db/helve`));
  helve.log?.error({ headers: { authorization: `Bearer ${planted.bearer}` } });
  helve.log?.error(`plain ${planted.github}`);
  helve.log?.write('warn', 'something', { detail: `token ${planted.github}` });
  expect(read().filter(({ event }) => event === 'error')).toHaveLength(3);
  expect(read().filter(({ event }) => event === 'request.ended')).toHaveLength(9);
  const text = lines.join('');
  expect(text).not.toContain('planted');
  expect(text).not.toContain(secret);
});

test('R-operate: attack: the log for people has no secret either, and nothing that controls a terminal', async () => {
  const printed: string[] = [];
  const print = vi.spyOn(console, 'error').mockImplementation((text) => void printed.push(String(text)));
  const helve = await createTestHelve({ nativeToolkits: [] });
  opened.push(helve);
  helve.reportError(new Error(`connect postgres://helve:${planted.openai}@db/helve \u001b[2Jwiped\u202e`));
  helve.reportError(new HelveError('upstream_failed', `The service said ${planted.github}`));
  helve.reportError({ headers: { authorization: `Bearer ${planted.bearer}` } });
  print.mockRestore();
  expect(printed).toHaveLength(3);
  const text = printed.join('\n');
  expect(text).toContain('wiped');
  expect(text).not.toMatch(/planted|[\u001b\u202e]/);
});
