/**
 * Storms through the whole plane: calls of a service that limits, fails, disconnects and hangs. No effect happens twice,
 * no request is sent before the service allows it, and unrelated accounts notice nothing.
 */

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ToolResult } from '../../src/domain/execution.js';
import type { Principal } from '../../src/domain/principal.js';
import { createTestHelve, type TestHelve } from '../../src/testing/index.js';
import { rounds } from '../../src/testing/rounds.js';
import { anyWeather, dice, type Storm, startStorm, stormToolkits, type Weather } from './support/storm.js';

const workspaces = ['stormy', 'calm', 'quiet'];
const accounts = rounds(10, 24);
const callsEach = rounds(4, 60);
const kits = ['plain', 'keyed'];

let storm: Storm;
let helve: TestHelve;
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

beforeAll(async () => {
  storm = await startStorm();
  helve = await createTestHelve({
    toolkits: stormToolkits(),
    nativeToolkits: [],
    config: kits
      .map((kit) => `  ${kit}:\n    base_url: ${storm.url}\n`)
      .reduce((text, more) => text + more, 'toolkits:\n'),
  });
  for (const workspace of workspaces) await furnish(workspace);
});
afterAll(async () => {
  await helve.close();
  await storm.close();
});
beforeEach(() => {
  for (const list of [storm.tooEarly, storm.seen]) list.length = 0;
  for (const map of [storm.effects, storm.requests]) map.clear();
  storm.weather = () => 'ok';
});

async function furnish(workspace: string): Promise<void> {
  const { workspaceId } = await helve.ensureWorkspace(workspace);
  const { principal: admin } = await helve.plane.redeemAdminLink(await helve.adminLink(workspaceId));
  await helve.plane.createAgent(admin, { slug: 'sailor' });
  const grants = [];
  for (const toolkit of kits) {
    for (let index = 0; index < (workspace === 'stormy' ? accounts : 2); index++)
      grants.push(await add(admin, toolkit, `${toolkit} ${index}`, `${workspace}-${toolkit}-${index}`));
  }
  await helve.plane.replaceGrants(admin, 'sailor', grants);
}

async function add(admin: Principal, toolkit: string, name: string, token: string) {
  const { id } = await helve.plane.addConnection(admin, { toolkit, name });
  await helve.plane.connect(admin, id, { credentials: { token }, check: false });
  return { toolkit, connectionId: id, tools: ['read', 'write', 'put'], limits: {}, config: {} };
}

const call = (workspace: string, tool: string, content: string): Promise<ToolResult> =>
  helve.execute({ principal: { agent: 'sailor', workspace }, tool, input: { content } });

describe('one kind of weather', () => {
  /** For a read, a write without a key, a write with one: the allowed requests, and the outcome. */
  const forecasts: [Weather, string, string, string][] = [
    // Refused before anything was done, so everything may be sent again.
    ...(['limit', 'limit-seconds', 'limit-date', 'busy-seconds'] as const).map(
      (weather): [Weather, string, string, string] => [weather, 'ok 2', 'ok 2', 'ok 2'],
    ),
    ...(
      [
        'busy',
        'fail-500',
        'fail-502',
        'fail-504',
        'fail-after',
        'reset-before',
        'reset-after',
        'reset-half',
        'hang-before',
        'hang-after',
      ] as const
    ).map((weather): [Weather, string, string, string] => [weather, 'ok 2', 'outcome_unknown 1', 'ok 2']),
  ];
  test.each(
    forecasts,
  )('R-pipeline: %s, once: a read ends %s, a write %s, one with a key %s', async (weather, ...expected) => {
    const cases = [
      ['plain-0__read', 'r'],
      ['plain-1__write', 'w'],
      ['keyed-2__write', 'k'],
      ['plain-3__put', 'p'],
    ] as const;
    storm.weather = (_account, content) => (storm.requests.get(content) ? 'ok' : weather);
    const ends = await Promise.all(
      cases.map(async ([tool, name]) => {
        const content = `${weather}-${name}`;
        const result = await call('stormy', tool, content);
        return `${result.ok ? 'ok' : result.error.code} ${storm.requests.get(content)}`;
      }),
    );
    expect(ends).toEqual([...expected, expected[0]]);
    expect([...storm.effects.values()].every((times) => times === 1)).toBe(true);
    expect(storm.tooEarly).toEqual([]);
  });

  test('R-pipeline: permanently: five requests and then the error', async () => {
    const ends: [Weather, string][] = [
      ['limit', 'rate_limited'],
      ['busy', 'upstream_failed'],
      ['fail-500', 'upstream_failed'],
      ['reset-before', 'upstream_failed'],
      ['hang-before', 'timeout'],
    ] as [Weather, string][];
    storm.weather = (_account, content) => content as Weather;
    const results = await Promise.all(ends.map(([weather], index) => call('stormy', `plain-${index}__read`, weather)));
    for (const [index, [weather, code]] of ends.entries()) {
      expect(results[index]).toMatchObject({ ok: false, error: { code, retryable: true } });
      expect([weather, storm.requests.get(weather)]).toEqual([weather, 5]);
    }
  });

  test('R-pipeline: a wait that is longer than a call is reported immediately, and applies to the account’s other calls', async () => {
    const seconds = 120;
    const limits = await startLimits(seconds);
    const limited = await createTestHelve({
      toolkits: stormToolkits(),
      nativeToolkits: [],
      config: `toolkits:\n  plain:\n    base_url: ${limits.url}\n  keyed:\n    base_url: ${limits.url}\n`,
      connections: [
        { toolkit: 'plain', name: 'one', credentials: { token: 'one' } },
        { toolkit: 'plain', name: 'two', credentials: { token: 'two' } },
      ],
    });
    const from = performance.now();
    const first = await limited.call('one__write', { content: 'a' });
    expect(first).toMatchObject({
      ok: false,
      error: { code: 'rate_limited', details: { retryAfterSeconds: seconds } },
    });
    const more = await Promise.all(
      Array.from({ length: 20 }, (_, n) => limited.call('one__read', { content: `${n}` })),
    );
    expect(more.every((result) => !result.ok && result.error.code === 'rate_limited')).toBe(true);
    expect(performance.now() - from).toBeLessThan(3_000);
    expect(limits.requests()).toBe(1);
    // The other account is unaffected.
    await limited.call('two__read', { content: 'b' });
    expect(limits.requests()).toBe(2);
    limited.advance((seconds + 1) * 1_000);
    await limited.call('one__read', { content: 'c' });
    expect(limits.requests()).toBe(3);
    await limited.close();
    await limits.close();
  });

  test('R-pipeline: a service that asks for years is asked again after an hour', async () => {
    const limits = await startLimits(10 * 365 * 86_400);
    const limited = await createTestHelve({
      toolkits: stormToolkits(),
      nativeToolkits: [],
      config: `toolkits:\n  plain:\n    base_url: ${limits.url}\n  keyed:\n    base_url: ${limits.url}\n`,
      connections: [{ toolkit: 'plain', name: 'one', credentials: { token: 'one' } }],
    });
    await limited.call('one__read', { content: 'a' });
    limited.advance(59 * 60_000);
    expect(await limited.call('one__read', { content: 'b' })).toMatchObject({ error: { code: 'rate_limited' } });
    expect(limits.requests()).toBe(1);
    limited.advance(2 * 60_000);
    await limited.call('one__read', { content: 'c' });
    expect(limits.requests()).toBe(2);
    await limited.close();
    await limits.close();
  });

  test('R-pipeline: twenty parallel calls that hit a limit all wait for its end, and get answers', async () => {
    let limited = false;
    storm.weather = () => {
      if (limited) return 'ok';
      limited = true;
      return 'limit-seconds';
    };
    await call('stormy', 'plain-0__read', 'first');
    limited = false;
    const trigger = call('stormy', 'plain-0__read', 'trigger');
    while (!limited) await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setTimeout(resolve, 100));
    const results = await Promise.all([
      trigger,
      ...Array.from({ length: 20 }, (_, n) => call('stormy', n % 2 ? 'plain-0__read' : 'plain-0__write', `waits ${n}`)),
    ]);
    expect(results.filter(({ ok }) => ok)).toHaveLength(21);
    expect(storm.tooEarly).toEqual([]);
  });
});

async function startLimits(seconds: number) {
  const { createServer } = await import('node:http');
  let requests = 0;
  const server = createServer((_request, response) => {
    requests += 1;
    response.writeHead(429, { 'retry-after': String(seconds) }).end('slow down');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    requests: () => requests,
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

describe('all of it together', () => {
  test(`R-pipeline: ${accounts * 2} accounts in a storm, ${callsEach} calls each; two workspaces beside it`, async () => {
    const random = anyWeather(dice(20_261_122));
    storm.weather = (account) => (account.startsWith('stormy') ? random() : 'ok');
    collect();
    const before = process.memoryUsage().heapUsed;
    let over = false;
    const beside = workspaces.slice(1).flatMap((workspace) =>
      kits.flatMap((kit) =>
        [0, 1].map(async (index) => {
          const results: ToolResult[] = [];
          for (let n = 0; !over || n < 250; n++)
            results.push(
              await call(
                workspace,
                `${kit}-${index}__${n % 2 ? 'read' : 'write'}`,
                `${workspace} ${kit} ${index} ${n}`,
              ),
            );
          return results;
        }),
      ),
    );
    const lines = kits.flatMap((kit) =>
      Array.from({ length: accounts }, async (_, index) => {
        const ends: { content: string; tool: string; result: ToolResult }[] = [];
        for (let n = 0; n < callsEach; n++) {
          const tool = ['write', 'read', 'put'][n % 3] ?? 'write';
          const content = `storm ${kit} ${index} ${n}`;
          ends.push({ content, tool, result: await call('stormy', `${kit}-${index}__${tool}`, content) });
        }
        return ends;
      }),
    );
    const ends = (await Promise.all(lines)).flat();
    over = true;
    const calm = (await Promise.all(beside)).flat();

    // Nothing twice, nothing too early, at most five requests per call.
    expect([...storm.effects].filter(([, times]) => times > 1)).toEqual([]);
    expect(storm.tooEarly).toEqual([]);
    expect(Math.max(...storm.requests.values())).toBeLessThanOrEqual(5);
    for (const { content, tool, result } of ends) {
      const done = storm.effects.get(content) ?? 0;
      if (tool === 'read') expect(done).toBe(0);
      // The reported outcome is the actual one.
      else if (result.ok) expect([content, done]).toEqual([content, 1]);
      else if (tool === 'write' && result.error.code !== 'outcome_unknown')
        expect([content, result.error.code, done]).toEqual([content, result.error.code, 0]);
      if (!result.ok && result.error.code === 'outcome_unknown') expect(tool).toBe('write');
    }
    // After a lost answer to something unrepeatable, nothing more was sent for it.
    const lost = new Set<string>();
    const ambiguous = /^(?:busy$|fail|reset|hang)/;
    for (const { content, weather, method } of storm.seen) {
      expect([content, lost.has(content)]).toEqual([content, false]);
      if (method === 'POST' && content.includes('plain') && ambiguous.test(weather)) lost.add(content);
    }
    expect(lost.size).toBeGreaterThan(3);
    expect(new Set(storm.seen.map(({ weather }) => weather)).size).toBeGreaterThan(12);

    const answered = calm.filter(({ ok }) => ok).length;
    expect(calm.length).toBeGreaterThanOrEqual(2_000);
    expect(answered / calm.length).toBeGreaterThanOrEqual(0.999);
    collect();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(100_000_000);
  }, 120_000);
});
