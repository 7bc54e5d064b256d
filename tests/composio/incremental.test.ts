/** R-sync after the first time: no work without changes, little work for few; and a failing source removes nothing. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { TestHelve } from '../../src/testing/index.js';
import { startPostgres, type TestPostgres } from '../../src/testing/postgres.js';
import { type Composio, startComposio, type ToolItem } from '../counterparts/composio/index.js';
import { countWrites, difference, expectedRows, query, rowsBySql, type WriteCount } from './kept.js';
import { helveWith, madeData, syncNow, total } from './support.js';

let postgres: TestPostgres;
const folders: string[] = [];
const closing: (() => Promise<void>)[] = [];
beforeAll(async () => {
  postgres = await startPostgres();
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
afterAll(async () => {
  await postgres.stop();
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
});

const apps = 60;

interface Ground {
  readonly composio: Composio;
  readonly helve: TestHelve;
  readonly location: string;
  readonly writes: WriteCount;
}

/** Synchronised once, and counting from then on. */
async function ground(store: string, options: Parameters<typeof startComposio>[1] = {}): Promise<Ground> {
  const composio = await startComposio(madeData(apps), options);
  const dataDir = await mkdtemp(join(tmpdir(), 'helve-incremental-'));
  folders.push(dataDir);
  const location = store === 'PostgreSQL' ? await postgres.storeUrl() : join(dataDir, 'helve.db');
  const helve = await helveWith(composio, { dataDir, ...(store === 'PostgreSQL' ? { database: location } : {}) });
  closing.push(
    () => composio.close(),
    () => helve.close(),
  );
  expect(await syncNow(helve)).toMatchObject({ status: 'done', kind: 'full' });
  const writes = await countWrites(location);
  composio.forgetCalls();
  return { composio, helve, location, writes };
}

const everything = async (location: string): Promise<string> =>
  JSON.stringify(
    await Promise.all(
      ['sources', 'apps', 'actions', 'triggers'].map((table) =>
        query(location, `select * from catalogue_${table} order by 1, 2`),
      ),
    ),
  );

describe.each(['SQLite', 'PostgreSQL'])('%s', (store) => {
  // The store does not matter here, so one is enough.
  const once = test.runIf(store === 'SQLite');
  test.each([
    'bulk',
    'per-app',
  ] as const)('R-sync: without changes: three requests, no row written (%s)', async (parameters) => {
    const { composio, helve, location, writes } = await ground(store, { parameters });
    const before = await everything(location);
    const job = await syncNow(helve, 'incremental');
    expect(job).toMatchObject({ status: 'done', counts: { apps: 0, actions: 0, triggers: 0, removed: 0, calls: 2 } });
    expect(total(composio.calls)).toBeLessThanOrEqual(3);
    expect(await writes.since()).toEqual({});
    expect(await everything(location)).toBe(before);
  });

  test('R-sync R-cache-tables: what has changed, and only that, is asked for and written', async () => {
    const { composio, helve, location, writes } = await ground(store);
    const { data } = composio;
    const [changed, grown, shrunk, gone] = data.toolkits;
    if (!changed || !grown || !shrunk || !gone) throw new Error('too little data');
    const fresh = madeData(1, 'fresh');
    const toolsOf = (slug: string) => data.tools.filter(({ toolkit }) => toolkit.slug === slug);
    const lost = toolsOf(shrunk.slug)[0] as ToolItem;
    const [model] = toolsOf(grown.slug) as [ToolItem];
    const added = ['ONE', 'TWO'].map((name) => ({ ...model, slug: `${grown.slug.toUpperCase()}_NEW_${name}` }));
    const count = (toolkit: (typeof data.toolkits)[number], by: number) => ({
      ...toolkit,
      meta: { ...toolkit.meta, tools_count: toolkit.meta.tools_count + by },
    });
    const next = {
      toolkits: [
        { ...changed, name: 'Another name', meta: { ...changed.meta, version: '20991231_00' } },
        count(grown, 2),
        count(shrunk, -1),
        ...data.toolkits.slice(4),
        ...fresh.toolkits,
      ],
      tools: [
        ...data.tools.filter((tool) => tool !== lost && tool.toolkit.slug !== gone.slug),
        ...added,
        ...fresh.tools,
      ].map((tool) =>
        tool.toolkit.slug === changed.slug ? { ...tool, toolkit: { ...tool.toolkit, name: 'Another name' } } : tool,
      ),
      triggers: [...data.triggers.filter(({ toolkit }) => toolkit.slug !== gone.slug), ...fresh.triggers].map(
        (trigger) => (trigger.toolkit.slug === changed.slug ? { ...trigger, description: 'Told anew' } : trigger),
      ),
    };
    composio.setData(next);
    const job = await syncNow(helve, 'incremental');
    expect(job).toMatchObject({ status: 'done', kind: 'incremental' });
    // Two to find out, one for the deleted app, two for each new or changed app.
    expect(total(composio.calls)).toBeLessThanOrEqual(2 + 1 + 2 * 4);
    const wanted = expectedRows(next);
    const unplaced = (rows: typeof wanted) => ({ ...rows, apps: rows.apps.map(({ position: _, ...row }) => row) });
    expect(difference(unplaced(await rowsBySql(location)), unplaced(wanted))).toEqual([]);
    const written = await writes.since();
    const rows = Object.entries(written).filter(([name]) => !name.startsWith('catalogue_sources'));
    const most: Record<string, number> = {
      'catalogue_apps insert': 1,
      'catalogue_apps update': 3,
      'catalogue_apps delete': 1,
      'catalogue_actions insert': 2 + fresh.tools.length,
      'catalogue_actions update': [changed, grown, shrunk].reduce((sum, { slug }) => sum + toolsOf(slug).length, -1),
      'catalogue_actions delete': 1 + toolsOf(gone.slug).length,
      'catalogue_triggers insert': fresh.triggers.length,
      'catalogue_triggers update': 3,
      'catalogue_triggers delete': 1,
    };
    for (const [name, times] of rows) expect([name, times <= (most[name] ?? 0) || times]).toEqual([name, true]);
    // The next run finds nothing, because it compares with what was written.
    composio.forgetCalls();
    expect(await syncNow(helve, 'incremental')).toMatchObject({ status: 'done', counts: { apps: 0, calls: 2 } });
    expect(await writes.since()).toEqual({});
  });

  once('R-sync: if more than a fifth has changed everything is listed again', async () => {
    const { composio, helve, location } = await ground(store);
    const { data } = composio;
    const next = {
      ...data,
      toolkits: data.toolkits.map((one, index) => (index < 25 ? { ...one, name: `${one.name} anew` } : one)),
    };
    composio.setData(next);
    const job = await syncNow(helve, 'incremental');
    expect(job).toMatchObject({ status: 'done', counts: { apps, actions: data.tools.length } });
    expect(total(composio.calls)).toBeLessThan(10);
    expect(difference(await rowsBySql(location), expectedRows(next))).toEqual([]);
  });

  once('R-sync: parameters that the listing omitted: as many apps as requested, the rest the next time', async () => {
    const { composio, helve, location } = await ground(store, { parameters: 'per-app' });
    // As an earlier listing without parameters would have left it.
    await query(location, 'update catalogue_actions set input_parameters = null, output_parameters = null');
    await query(location, 'update catalogue_apps set backfilled = null');
    const lacking = async () =>
      Number(
        (
          await query(location, 'select count(distinct app) as n from catalogue_actions where input_parameters is null')
        )[0]?.n,
      );
    expect(await lacking()).toBe(apps);
    const ends: unknown[] = [];
    for (const limit of [undefined, 10, 100, 100]) {
      composio.forgetCalls();
      const { status, counts } = await syncNow(helve, 'parameters', limit);
      ends.push([status, counts.backfilled, counts.calls, total(composio.calls), await lacking()]);
    }
    expect(ends).toEqual([
      ['done', 30, 30, 30, 30],
      ['done', 10, 10, 10, 20],
      ['done', 20, 20, 20, 0],
      ['done', 0, 0, 0, 0],
    ]);
    expect(difference(await rowsBySql(location), expectedRows(composio.data))).toEqual([]);
  });

  once('R-sync: a source that suddenly has nothing, or breaks off, removes nothing, and reports it', async () => {
    const { composio, helve, location } = await ground(store);
    const { data } = composio;
    const wanted = expectedRows(data);
    const failed = async (kind: 'full' | 'incremental', words: RegExp) => {
      const job = await syncNow(helve, kind);
      expect([kind, job.status, job.error]).toEqual([kind, 'failed', expect.stringMatching(words)]);
      const left = await rowsBySql(location);
      for (const table of ['apps', 'actions', 'triggers'] as const)
        expect([table, left[table].length]).toEqual([table, wanted[table].length]);
    };
    const nothing = { items: [], next_cursor: null, total_pages: 1, current_page: 1, total_items: 0 };
    for (const kind of ['full', 'incremental'] as const) {
      composio.setData({ toolkits: [], tools: [], triggers: [] });
      await failed(kind, /lists no apps/);
      composio.setData(data);
    }
    // Half of the apps, while it reports that there are more: the others that are stored are requested one by one.
    for (const times of [1, 2]) {
      composio.faults.push({
        when: ({ path }) => path === '/toolkits',
        times,
        status: 200,
        body: { ...nothing, items: data.toolkits.slice(0, 30), total_items: apps },
      });
      expect(await syncNow(helve)).toMatchObject({ status: 'done', counts: { apps, removed: 0 } });
      expect(difference(await rowsBySql(location), wanted)).toEqual([]);
    }
    composio.faults.push({ when: ({ path }) => path === '/tools', status: 200, body: nothing });
    await failed('full', /lists no actions/);
    composio.faults.push({ when: ({ path }) => path === '/tools', times: 9, status: 400 });
    await failed('full', /./);
    composio.faults.length = 0;
    // The next run is unaffected.
    expect(await syncNow(helve)).toMatchObject({ status: 'done' });
    expect(difference(await rowsBySql(location), wanted)).toEqual([]);
  });

  test('R-sync: a deleted app is not asked for its parameters', async () => {
    const { composio, helve, location } = await ground(store, { parameters: 'per-app' });
    const { data } = composio;
    const slug = data.toolkits[0]?.slug ?? '';
    // Its parameters were never known.
    await query(location, `update catalogue_actions set input_parameters = null where app = '${slug}'`);
    await query(location, `update catalogue_apps set backfilled = null where slug = '${slug}'`);
    const without = <Item extends { toolkit: { slug: string } }>(items: readonly Item[]) =>
      items.filter(({ toolkit }) => toolkit.slug !== slug);
    composio.setData({
      toolkits: data.toolkits.slice(1),
      tools: without(data.tools),
      triggers: without(data.triggers),
    });
    composio.faults.push({ when: ({ query: asked }) => asked.get('toolkit_slug') === slug, times: 9, status: 404 });
    expect(await syncNow(helve)).toMatchObject({ status: 'done' });
    expect(difference(await rowsBySql(location), expectedRows(composio.data))).toEqual([]);
  });

  once(
    'R-sync R-cache-tables: an action that does not say whose it is finds its app, also the first time',
    async () => {
      const data = madeData(3, 'two_words');
      const nameless = <Item extends { toolkit: unknown }>(items: readonly Item[]): Item[] =>
        items.map(({ toolkit: _, ...item }) => item as Item);
      const composio = await startComposio({ ...data, tools: nameless(data.tools), triggers: nameless(data.triggers) });
      const dataDir = await mkdtemp(join(tmpdir(), 'helve-nameless-'));
      folders.push(dataDir);
      const helve = await helveWith(composio, { dataDir });
      closing.push(
        () => composio.close(),
        () => helve.close(),
      );
      expect(await syncNow(helve)).toMatchObject({ status: 'done' });
      expect(difference(await rowsBySql(join(dataDir, 'helve.db')), expectedRows(data))).toEqual([]);
    },
  );

  once('R-sync: limits and failures on the way are waited out', async () => {
    const { composio, helve, location } = await ground(store);
    for (const path of ['/toolkits', '/tools', '/triggers_types'])
      for (const status of [429, 503])
        composio.faults.push({
          when: (request) => request.path === path,
          status,
          headers: { 'retry-after': '0' },
        });
    expect(await syncNow(helve)).toMatchObject({ status: 'done', counts: { apps } });
    expect(composio.faults).toEqual([]);
    expect(difference(await rowsBySql(location), expectedRows(composio.data))).toEqual([]);
  });
});
