/** The spans of calls, as the SDK of OpenTelemetry gets them, and as they arrive at a collector. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { afterEach, expect, test, vi } from 'vitest';
import { defineToolkit } from '../domain/tool.js';
import { createHttpApp } from '../surfaces/http/index.js';
import { createTestHelve, type TestHelveOptions, testTool } from '../testing/test-helve.js';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()));
});

const failing = testTool({
  name: 'zebra',
  async execute() {
    throw new Error('failed with sk-planted-in-error');
  },
});
const tools = [
  testTool({
    name: 'okapi',
    async execute() {
      return { said: 'sk-planted-in-answer' };
    },
  }),
  failing,
];

async function open(options: TestHelveOptions = {}) {
  const exporter = new InMemorySpanExporter();
  const tracerProvider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
  const helve = await createTestHelve({ nativeToolkits: [], tools, tracerProvider, ...options });
  opened.push(helve);
  const spans = () => exporter.getFinishedSpans();
  const roots = () => spans().filter(({ attributes }) => attributes['gen_ai.operation.name'] === 'execute_tool');
  return { helve, spans, roots };
}

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanId = '00f067aa0ba902b7';
const traceparent = `00-${traceId}-${spanId}-01`;

test.each([
  ['ahead', 3_600_000],
  ['back', -3_600_000],
])('R-operate: the times of spans are those of the clock of the machine, also after it was set %s', async (_, offset) => {
  const { helve, spans } = await open();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + offset });
  try {
    const before = Date.now();
    await helve.call('okapi');
    expect(spans().length).toBeGreaterThan(1);
    for (const { startTime, endTime } of spans())
      for (const [seconds, nanoseconds] of [startTime, endTime])
        expect(Math.abs(seconds * 1_000 + nanoseconds / 1e6 - before)).toBeLessThan(60_000);
  } finally {
    vi.useRealTimers();
  }
});

test('R-operate: a call is one trace with a span for each stage that it passed', async () => {
  const { helve, spans, roots } = await open();
  const { executionId } = await helve.call('okapi');
  const [call, ...others] = roots();
  expect(others).toEqual([]);
  expect(call?.name).toBe('execute_tool okapi');
  expect(call?.attributes).toEqual({
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.call.id': executionId,
    'gen_ai.tool.name': 'okapi',
    'gen_ai.agent.id': helve.agent.id,
    'gen_ai.agent.name': helve.agent.name,
    'helve.toolkit': 'custom',
    'helve.tool.kind': 'native',
    'helve.outcome': 'ok',
  });
  const stages = spans().filter((span) => span !== call);
  expect(stages.map(({ name }) => name)).toEqual([
    'admit',
    'resolve',
    'validate',
    'authorise',
    'approve',
    'limit',
    'record',
    'execute',
  ]);
  for (const stage of stages) {
    expect(stage.spanContext().traceId).toBe(call?.spanContext().traceId);
    expect(stage.parentSpanContext?.spanId).toBe(call?.spanContext().spanId);
  }
});

test('R-operate: a refused and a failed call say why, without the words of anybody', async () => {
  const { helve, roots, spans } = await open({ granted: ['okapi', 'zebra'] });
  await helve.call('zebra', { key: 'sk-planted-in-arguments' });
  await helve.call('sk-planted-as-name', {});
  await helve.call('okapi', { key: 'sk-planted-in-arguments' }, { intent: 'sk-planted-in-intent' });
  const seen = roots().map(({ name, attributes }) => [name, attributes['helve.outcome'], attributes['error.type']]);
  expect(seen.slice(0, 2)).toEqual([
    ['execute_tool zebra', 'failed', 'tool_failed'],
    ['execute_tool', 'refused', 'tool_not_found'],
  ]);
  const written = JSON.stringify(
    spans().map(({ name, attributes, status, events, links }) => ({ name, attributes, status, events, links })),
  );
  expect(written).toContain('zebra');
  expect(written).not.toContain('sk-planted');
});

test('R-operate: a trace that a caller sends over REST is continued; something else is not', async () => {
  const { helve, roots } = await open();
  const { secret } = await helve.plane.issueAgentToken(helve.admin, 'tester', {});
  const app = createHttpApp({ plane: helve.plane, publicUrl: 'http://localhost' });
  const call = (headers: Record<string, string>) =>
    app.request('/api/tools/execute', {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ tool: 'okapi', input: {} }),
    });
  expect((await call({ traceparent, tracestate: 'vendor=1' })).status).toBe(200);
  expect((await call({ traceparent: 'nonsense' })).status).toBe(200);
  const [joined, own] = roots();
  expect(joined?.spanContext().traceId).toBe(traceId);
  expect(joined?.parentSpanContext?.spanId).toBe(spanId);
  expect(own?.spanContext().traceId).not.toBe(traceId);
  expect(own?.parentSpanContext).toBeUndefined();
});

test.each([
  ['with traces a service gets', true],
  ['without traces a service does not get', false],
])('R-operate: %s the trace of the call that asks it', async (_, traced) => {
  const seen: (string | undefined)[] = [];
  const service = createServer((request, response) => {
    seen.push(request.headers.traceparent as string | undefined);
    response.setHeader('content-type', 'application/json').end('{}');
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  opened.push({ close: () => new Promise((resolve) => service.close(() => resolve())) });
  const { port } = service.address() as AddressInfo;
  const vendor = defineToolkit({
    slug: 'vendor',
    title: 'Vendor',
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
    service: { servers: () => ({ default: { url: `http://127.0.0.1:${port}`, named: true } }) },
    load: async () => [
      testTool({ name: 'ask', execute: async (_input, { service: to }) => to.json({ path: '/ask' }) }),
    ],
  });
  const { helve, roots } = await open({
    toolkits: [vendor],
    connections: [{ toolkit: 'vendor', name: 'Work', credentials: { token: 'sk-planted-token' } }],
    ...(traced ? {} : { tracerProvider: undefined }),
  } as TestHelveOptions);
  expect(await helve.call('work__ask', {}, { trace: { traceparent } })).toMatchObject({ ok: true });
  const [call] = roots();
  expect(seen).toEqual([traced ? `00-${traceId}-${call?.spanContext().spanId}-01` : undefined]);
});

test('R-operate: spans arrive at the collector that helve.yaml names, and the rest of them when Helve stops', async () => {
  const bodies: { path: string | undefined; key: unknown; body: string }[] = [];
  const collector = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      bodies.push({ path: request.url, key: request.headers['x-key'], body });
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  opened.push({ close: () => new Promise((resolve) => collector.close(() => resolve())) });
  const { port } = collector.address() as AddressInfo;
  const config = `telemetry:\n  traces: { endpoint: "http://127.0.0.1:${port}/v1/traces", headers: { x-key: abc } }\n`;
  const helve = await createTestHelve({ nativeToolkits: [], tools, config });
  await helve.call('okapi');
  await helve.close();
  expect(bodies.map(({ path, key }) => [path, key])).toEqual([['/v1/traces', 'abc']]);
  const { resourceSpans } = JSON.parse(bodies[0]?.body ?? '{}');
  expect(resourceSpans[0].resource.attributes).toContainEqual({ key: 'service.name', value: { stringValue: 'helve' } });
  const names = resourceSpans[0].scopeSpans[0].spans.map(({ name }: { name: string }) => name);
  expect(names).toContain('execute_tool okapi');
  expect(names).toContain('authorise');
});
