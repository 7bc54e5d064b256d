/** Several hosts on one PostgreSQL: different clocks, equal host names, and a host that is paused for a while. */
import pg from 'pg';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { mayBeMissing } from '../../src/testing/needs.js';
import { startPostgres } from '../../src/testing/postgres.js';
import { findHostObstacle, type Host, type HostOptions, startHost } from './support/hosts.js';

const timeoutMs = 60_000;
const heartbeatMs = 200;
const vaultKeys = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
const server = await startPostgres();
const hosts: Host[] = [];
const clients: pg.Client[] = [];

afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.kill()));
  await Promise.all(clients.splice(0).map((client) => client.end()));
});
afterAll(() => server.stop());

async function openScene() {
  const database = await server.url();
  const client = new pg.Client({ connectionString: database });
  clients.push(client);
  await client.connect();
  const query = async (text: string, values: readonly unknown[] = []) =>
    (await client.query<Record<string, string>>(text, [...values])).rows;
  return {
    async start(options: Pick<HostOptions, 'name' | 'clock'>) {
      const host = startHost({ ...options, database, vaultKeys, heartbeatMs });
      hosts.push(host);
      const { at = '' } = await host.next('ready');
      return { host, at };
    },
    instances: async () => (await query('select id from helve.instances order by id')).map(({ id }) => id),
    types: async () =>
      (await query(`select type from helve.audit_events where type like 'execution.%' order by seq`)).map(
        ({ type }) => type,
      ),
    /** Resolves when each of the present processes has sent this many signs of life. */
    async heartbeats(count: number) {
      const seen = new Map<string, Set<string>>();
      await vi.waitFor(
        async () => {
          for (const { id = '', seen_at = '' } of await query('select id, seen_at from helve.instances'))
            seen.set(id, (seen.get(id) ?? new Set()).add(seen_at));
          expect(seen.size).toBeGreaterThan(0);
          for (const times of seen.values()) expect(times.size).toBeGreaterThan(count);
        },
        { timeout: timeoutMs, interval: heartbeatMs / 4 },
      );
    },
  };
}

describe.skipIf(mayBeMissing(findHostObstacle()) !== undefined)('several hosts on one PostgreSQL', () => {
  test.each([
    { what: 'a clock that is two minutes late', first: { name: 'one', clock: '-120s' }, second: { name: 'two' } },
    { what: 'a clock that is two minutes early', first: { name: 'one' }, second: { name: 'two', clock: '+120s' } },
    { what: 'the host name of another container', first: { name: 'helve' }, second: { name: 'helve' } },
  ])(
    'R-pipeline: $what ends no call of a living process',
    async ({ first, second }) => {
      const scene = await openScene();
      const one = await scene.start(first);
      one.host.say('call');
      await one.host.next('running');
      const two = await scene.start(second);
      const apart = Math.abs(Date.parse(two.at) - Date.parse(one.at));
      // The clocks are as the test set them.
      expect(apart > 100_000).toBe('clock' in first || 'clock' in second);
      // Longer than it takes until a silent process counts as dead.
      await scene.heartbeats(12);
      one.host.say('finish');
      expect(await one.host.next('result')).toMatchObject({ ok: true });
      expect(await scene.types()).toEqual(['execution.started', 'execution.finished']);
      expect(await scene.instances()).toHaveLength(2);
      expect([...one.host.events, ...two.host.events].filter(({ event }) => event === 'log')).toEqual([]);
    },
    timeoutMs,
  );

  test(
    'R-pipeline R-operate: the calls of a process that has really ended are settled by another host',
    async () => {
      const scene = await openScene();
      const one = await scene.start({ name: 'one' });
      const two = await scene.start({ name: 'two' });
      one.host.say('call');
      await one.host.next('running');
      await one.host.kill();
      await vi.waitFor(
        async () => expect(await scene.types()).toEqual(['execution.started', 'execution.interrupted']),
        { timeout: timeoutMs, interval: heartbeatMs },
      );
      await vi.waitFor(async () => expect(await scene.instances()).toHaveLength(1), { timeout: timeoutMs });
      two.host.say('end');
    },
    timeoutMs,
  );

  test(
    'R-pipeline: a paused host registers again, reports it, and keeps its later calls',
    async () => {
      const scene = await openScene();
      const one = await scene.start({ name: 'one' });
      const two = await scene.start({ name: 'two' });
      one.host.say('call');
      await one.host.next('running');
      one.host.pause();
      await vi.waitFor(async () => expect(await scene.instances()).toHaveLength(1), { timeout: timeoutMs });
      one.host.resume();
      expect((await one.host.next('log')).text).toMatch(/considered this process dead.*registered again/s);
      await vi.waitFor(async () => expect(await scene.instances()).toHaveLength(2), { timeout: timeoutMs });
      one.host.say('finish');
      // It ran, but was recorded as interrupted meanwhile, and its caller is told so.
      expect(await one.host.next('result')).toMatchObject({ ok: false, code: 'outcome_unknown' });
      one.host.say('call');
      await one.host.next('running');
      await scene.heartbeats(12);
      one.host.say('finish');
      expect(await one.host.next('result')).toMatchObject({ ok: true });
      expect((await scene.types()).slice(2)).toEqual(['execution.started', 'execution.finished']);
      expect([...one.host.events, ...two.host.events].filter(({ event }) => event === 'log')).toHaveLength(1);
    },
    timeoutMs,
  );
});
