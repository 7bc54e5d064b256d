/** What Prometheus reads of a process: written by the plane, read by a parser that is not ours. */
import parse from 'parse-prometheus-text-format';
import { afterEach, expect, test } from 'vitest';
import { createHttpApp } from '../../surfaces/http/index.js';
import { createCounts, createPrometheus } from '../../telemetry/index.js';
import { createTestHelve, type TestHelve, testTool } from '../../testing/test-helve.js';

const opened: TestHelve[] = [];
afterEach(() => Promise.all(opened.splice(0).map((one) => one.close())));

async function open() {
  const boom = testTool({
    name: 'zebra',
    async execute() {
      throw new Error('no stripes');
    },
  });
  const tools = [testTool({ name: 'okapi' }), boom, testTool({ name: 'quagga' })];
  const helve = await createTestHelve({ tools, granted: ['okapi', 'zebra'] });
  opened.push(helve);
  return helve;
}

const family = (text: string, name: string) => parse(text).find((one) => one.name === name);
/** The parser makes one of all series of a histogram, so it is not told that this is one. */
const samples = (text: string, name: string) =>
  parse(text.replaceAll(/^(# TYPE \w+) histogram$/gm, '$1 untyped')).flatMap((one) =>
    one.name === name ? one.metrics : [],
  );

test('R-operate: each call is counted once, by kind, outcome and reason', async () => {
  const helve = await open();
  const series = async () =>
    samples(await helve.plane.metrics(helve.admin), 'helve_call_duration_seconds_count').map(({ labels, value }) => [
      labels?.kind,
      labels?.outcome,
      labels?.code,
      Number(value),
    ]);
  expect(await series()).toEqual([]);
  for (let call = 0; call < 3; call++) expect(await helve.call('okapi')).toMatchObject({ ok: true });
  expect(await helve.call('zebra')).toMatchObject({ ok: false });
  expect(await helve.call('quagga')).toMatchObject({ ok: false });
  expect(await helve.call('nothing')).toMatchObject({ ok: false });
  expect((await series()).toSorted()).toEqual([
    ['native', 'failed', 'tool_failed', 1],
    ['native', 'ok', 'none', 3],
    ['native', 'refused', 'not_granted', 1],
    ['unknown', 'refused', 'tool_not_found', 1],
  ]);
});

test('R-operate: synchronisations are counted, and durations are a histogram whose buckets add up', async () => {
  const counts = createCounts();
  for (const milliseconds of [0.5, 1, 3, 40, 90_000])
    counts.callEnded({ kind: 'mcp', outcome: 'ok', code: 'none', milliseconds });
  for (const status of ['done', 'done', 'failed']) counts.catalogueSynced('composio', status);
  const text = await createPrometheus({
    counts,
    runningCalls: () => 0,
    waitingForRecord: () => 0,
    storePool: () => undefined,
    discovery: () => ({ tiers: {}, hints: {}, abstained: 0 }) as never,
  }).read();
  expect(samples(text, 'helve_catalogue_syncs_total').map(({ labels, value }) => [labels?.status, value])).toEqual([
    ['done', '2'],
    ['failed', '1'],
  ]);
  expect(family(text, 'helve_call_duration_seconds')?.type).toBe('HISTOGRAM');
  const labels = { kind: 'mcp', outcome: 'ok', code: 'none' };
  const buckets = samples(text, 'helve_call_duration_seconds_bucket');
  expect(buckets).toHaveLength(16);
  for (const { labels: all } of buckets) expect(all).toMatchObject(labels);
  const atMost = Object.fromEntries(buckets.map(({ labels: all, value }) => [all?.le, Number(value)]));
  expect(atMost).toMatchObject({ 0.001: 2, 0.0025: 2, 0.005: 3, 0.025: 3, 0.05: 4, 60: 4, '+Inf': 5 });
  expect(samples(text, 'helve_call_duration_seconds_count')).toEqual([expect.objectContaining({ labels, value: '5' })]);
  expect(samples(text, 'helve_call_duration_seconds_sum')).toEqual([
    expect.objectContaining({ labels, value: '90.0445' }),
  ]);
});

test('R-operate: searches, running calls, the record and the event loop are there; names of tools and people are not', async () => {
  const helve = await open();
  await helve.call('okapi', { secret: 'sk-planted' });
  await helve.plane.searchTools(helve.agent, { query: 'zebra' });
  const text = await helve.plane.metrics(helve.admin);
  const searches = family(text, 'helve_discovery_searches_total')?.metrics ?? [];
  expect(searches.reduce((sum, { value }) => sum + Number(value), 0)).toBe(1);
  expect(family(text, 'helve_calls_running')?.metrics).toEqual([{ value: '0' }]);
  expect(family(text, 'helve_record_queue_length')?.metrics).toEqual([{ value: '0' }]);
  expect(family(text, 'nodejs_eventloop_lag_p99_seconds')?.type).toBe('GAUGE');
  expect(text).not.toMatch(/okapi|zebra|quagga|tester|sk-planted|custom/);
});

test('R-operate: a call that runs is seen while it runs', async () => {
  let begin = (): void => undefined;
  let end = (): void => undefined;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const ending = new Promise<void>((resolve) => {
    end = resolve;
  });
  const hang = testTool({
    name: 'hang',
    async execute() {
      begin();
      await ending;
      return {};
    },
  });
  const helve = await createTestHelve({ nativeToolkits: [], tools: [hang] });
  opened.push(helve);
  const running = async () => family(await helve.plane.metrics(helve.admin), 'helve_calls_running')?.metrics;
  const call = helve.call('hang');
  await begun;
  expect(await running()).toEqual([{ value: '1' }]);
  end();
  await call;
  expect(await running()).toEqual([{ value: '0' }]);
});

test('R-operate: attack: only a key of the first workspace with audit:read reads them', async () => {
  const helve = await open();
  const app = createHttpApp({ plane: helve.plane, publicUrl: 'http://localhost' });
  const ask = async (secret?: string) => {
    const response = await app.request('/metrics', secret ? { headers: { authorization: `Bearer ${secret}` } } : {});
    return [response.status, (await response.text()).includes('helve_calls_running')];
  };
  const key = async (principal: TestHelve['admin'], permissions: readonly ('audit:read' | 'tools:read')[]) =>
    (await helve.plane.createApiKey(principal, { name: 'watch', permissions })).secret;
  expect(await ask(await key(helve.admin, ['audit:read']))).toEqual([200, true]);
  expect(await ask(await key(helve.admin, ['tools:read']))).toEqual([403, false]);
  expect(await ask()).toEqual([401, false]);
  const { link } = await helve.plane.createWorkspace(helve.admin, {
    slug: 'other',
    admin: { name: 'Olga', email: 'olga@example.com' },
  });
  const other = await helve.plane.redeemAdminLink(link.slice(link.indexOf('token=') + 'token='.length));
  expect(await ask(await key(other.principal, ['audit:read']))).toEqual([403, false]);
});
