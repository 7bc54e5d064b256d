/** R-sync with an unreliable source: invalid rows, wrong totals, odd pages, and rows that move while they are read. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { TestHelve } from '../../src/testing/index.js';
import { type Composio, type ComposioData, type SeenRequest, startComposio } from '../counterparts/composio/index.js';
import { difference, expectedRows, rowsBySql, type Tables } from './kept.js';
import { helveWith, madeData, syncNow } from './support.js';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

interface Ground {
  readonly composio: Composio;
  readonly helve: TestHelve;
  /** The differences between the store and the data. */
  differs(data: ComposioData): Promise<string[]>;
}

async function start(data: ComposioData): Promise<Ground> {
  const composio = await startComposio(data);
  const dataDir = await mkdtemp(join(tmpdir(), 'helve-careless-'));
  const helve = await helveWith(composio, { dataDir });
  closing.push(
    () => rm(dataDir, { recursive: true, force: true }),
    () => composio.close(),
    () => helve.close(),
  );
  return {
    composio,
    helve,
    differs: async (wanted) =>
      difference(unplaced(await rowsBySql(join(dataDir, 'helve.db'))), unplaced(expectedRows(wanted))),
  };
}

/** The order of apps is that of the listing: a row that was not listed has no position. */
const unplaced = (tables: Tables): Tables => ({
  ...tables,
  apps: tables.apps.map(({ position: _, ...row }) => row),
});

type Path = '/toolkits' | '/tools' | '/triggers_types';

/** Answers one path with these pages, by the cursors `1`, `2`, …; any other cursor is not answered here. */
function answerPages(composio: Composio, path: Path, pages: readonly (object | undefined)[]): void {
  const pageOf = ({ query }: SeenRequest) => Number(query.get('cursor') ?? 0);
  const isListing = (request: SeenRequest) =>
    request.path === path && !request.query.has('toolkit_slug') && !request.query.has('toolkit_slugs');
  for (const [index, body] of pages.entries())
    composio.faults.push({
      when: (request) => isListing(request) && pageOf(request) === index,
      times: Number.POSITIVE_INFINITY,
      status: 200,
      body,
    });
}

describe('a careless source', () => {
  test.each([
    ['/toolkits', null, 'app', 'items/60'],
    ['/tools', { slug: 5, name: 'x' }, 'action', 'items/180'],
    ['/tools', { slug: 'APP0_ODD', tags: 'none' }, 'action', 'APP0_ODD'],
    ['/triggers_types', { slug: 'APP0_EVENT_2', config: 'none' }, 'trigger', 'APP0_EVENT_2'],
  ] as const)('R-sync: one row of %s that is %j is skipped and named', async (path, row, kind, name) => {
    const data = madeData(60);
    const { composio, helve, differs } = await start(data);
    const items = { '/toolkits': data.toolkits, '/tools': data.tools, '/triggers_types': data.triggers }[path];
    answerPages(composio, path, [{ items: [...items, row], total_items: items.length + 1 }]);
    for (const round of ['first', 'second']) {
      const job = await syncNow(helve);
      expect([round, job]).toMatchObject([
        round,
        { status: 'done', counts: { apps: 60, actions: 180, triggers: 60 }, leftOut: [{ kind, name }] },
      ]);
      expect(job.leftOut?.[0]?.reason).toMatch(/items\/\d+/);
    }
    expect(await differs(data)).toEqual([]);
    expect((await helve.plane.syncJobs(helve.admin, {}))[0]?.leftOut).toHaveLength(1);
  });

  test.each([
    'full',
    'incremental',
  ] as const)('R-sync: the stored values of a row that can no longer be read stay (%s)', async (kind) => {
    const data = madeData(60);
    const { composio, helve, differs } = await start(data);
    await syncNow(helve);
    const [tool, ...tools] = data.tools;
    const [app, ...toolkits] = data.toolkits;
    answerPages(composio, '/tools', [{ items: [{ ...tool, tags: 5 }, ...tools] }]);
    answerPages(composio, '/toolkits', [{ items: [{ ...app, meta: 5 }, ...toolkits] }]);
    const job = await syncNow(helve, kind);
    expect(job).toMatchObject({ status: 'done', counts: { removed: 0 } });
    expect(job.leftOut?.map(({ name }) => name)).toContain(app?.slug);
    expect(await differs(data)).toEqual([]);
  });

  test('R-sync: if more than 1 % cannot be used the synchronisation fails, names one, and removes nothing', async () => {
    const data = madeData(60);
    const { composio, helve, differs } = await start(data);
    await syncNow(helve);
    const odd = data.tools.slice(0, 3).map((tool) => ({ ...tool, tags: 5 }));
    answerPages(composio, '/tools', [{ items: [...odd, ...data.tools.slice(10)] }]);
    const job = await syncNow(helve);
    expect(job).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/3 of 173 actions.*1 %.*APP0_GET_THING/),
    });
    expect(await differs(data)).toEqual([]);
    composio.faults.length = 0;
    expect(await syncNow(helve)).toMatchObject({ status: 'done' });
  });

  test.each([3, '60', '58 or so', null, 63])('R-sync: a total of %j does not block it', async (total) => {
    const data = madeData(60);
    const { composio, helve, differs } = await start(data);
    answerPages(composio, '/toolkits', [{ items: data.toolkits, total_items: total }]);
    for (const kind of ['full', 'full', 'incremental'] as const)
      expect(await syncNow(helve, kind)).toMatchObject({ status: 'done' });
    expect(await differs(data)).toEqual([]);
  });

  test('R-sync: an empty page with a cursor is not the end, and rows that come twice count once', async () => {
    const data = madeData(60);
    const { composio, helve, differs } = await start(data);
    answerPages(composio, '/tools', [
      { items: data.tools.slice(0, 100), next_cursor: '1', total_items: 180 },
      { items: [], next_cursor: '2', total_items: 180 },
      { items: data.tools.slice(50), next_cursor: null, total_items: 180 },
    ]);
    for (const kind of ['full', 'incremental'] as const)
      expect(await syncNow(helve, kind)).toMatchObject({ status: 'done' });
    expect((await helve.plane.syncJobs(helve.admin, {}))[1]?.counts).toMatchObject({ apps: 60, actions: 180 });
    expect(await differs(data)).toEqual([]);
  });

  test.each([
    ['a circle of cursors', [{ next_cursor: '1' }, { next_cursor: '2' }, { next_cursor: '1' }]],
    ['pages that bring nothing', Array.from({ length: 100 }, (_, index) => ({ next_cursor: `${index + 1}` }))],
  ])('R-sync: %s ends with a failure, and the next synchronisation is unaffected', async (_, pages) => {
    const data = madeData(60);
    const { composio, helve, differs } = await start(data);
    await syncNow(helve);
    answerPages(
      composio,
      '/tools',
      pages.map((page) => ({ items: data.tools.slice(0, 9), ...page })),
    );
    composio.forgetCalls();
    const job = await syncNow(helve);
    expect(job).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/pages of actions do not end/),
    });
    expect(composio.calls['GET /tools']).toBeLessThan(30);
    expect(await differs(data)).toEqual([]);
    composio.faults.length = 0;
    expect(await syncNow(helve)).toMatchObject({ status: 'done' });
  });

  test('R-sync: a row that moved while the pages were read is requested before anything is removed', async () => {
    const data = madeData(60);
    const { composio, helve, differs } = await start(data);
    await syncNow(helve);
    // One app of the first page is deleted while the second is requested: app 30 moves to the page that was already read.
    const rest = { ...data, toolkits: data.toolkits.filter((_, index) => index !== 3) };
    composio.setData(rest);
    answerPages(composio, '/toolkits', [
      { items: data.toolkits.slice(0, 30), next_cursor: '1' },
      { items: rest.toolkits.slice(30), next_cursor: null },
    ]);
    answerPages(composio, '/tools', [
      { items: data.tools.slice(0, 90), next_cursor: '1' },
      { items: data.tools.slice(91), next_cursor: null },
    ]);
    expect(await syncNow(helve)).toMatchObject({ status: 'done', counts: { removed: 0 } });
    expect(composio.calls).toMatchObject({ 'GET /toolkits/{}': 1 });
    expect(await differs(data)).toEqual([]);
    composio.faults.length = 0;
    // The deleted app is also requested, and removed.
    const without = <Item extends { toolkit: { slug: string } }>(items: readonly Item[]) =>
      items.filter(({ toolkit }) => toolkit.slug !== data.toolkits[3]?.slug);
    const gone = { ...rest, tools: without(data.tools), triggers: without(data.triggers) };
    composio.setData(gone);
    expect(await syncNow(helve)).toMatchObject({ status: 'done', counts: { apps: 59, removed: 5 } });
    expect(await differs(gone)).toEqual([]);
  });

  test('R-sync: a total that changes while pages are read has the listing read once more', async () => {
    const data = madeData(60);
    const { composio, helve, differs } = await start(data);
    let round = 0;
    composio.faults.push({
      when: ({ path, query }) => path === '/tools' && !query.has('toolkit_slug') && ++round === 1,
      status: 200,
      body: { items: data.tools.slice(0, 90), next_cursor: 'MS05MA==', total_items: 180 },
    });
    composio.faults.push({
      when: ({ path, query }) => path === '/tools' && query.get('cursor') === 'MS05MA==',
      status: 200,
      body: { items: data.tools.slice(91), next_cursor: null, total_items: 179 },
    });
    expect(await syncNow(helve)).toMatchObject({ status: 'done', counts: { actions: 180 } });
    expect(composio.calls['GET /tools']).toBe(3);
    expect(await differs(data)).toEqual([]);
  });

  test('R-sync R-cache-tables: what an app is said to have is counted, not believed', async () => {
    const data = madeData(3);
    const { composio, helve } = await start({
      ...data,
      toolkits: data.toolkits.map((one) => ({ ...one, meta: { ...one.meta, tools_count: 99, triggers_count: 0 } })),
    });
    composio.forgetCalls();
    await syncNow(helve);
    const { apps } = await helve.plane.marketplace(helve.admin, { provider: 'composio' });
    expect(apps.map(({ actionCount, triggerCount }) => [actionCount, triggerCount])).toEqual([
      [3, 1],
      [3, 1],
      [3, 1],
    ]);
  });
});
