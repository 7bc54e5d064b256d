/** R-sync with an independently written server that misbehaves on request; skipped if it is not available. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestHelve, type TestHelve } from '../../src/testing/index.js';
import { type Row, rowsBySql } from './kept.js';
import { composioConfig, syncNow } from './support.js';

const script = fileURLToPath(new URL('../../../shared/checks/composio-server.mjs', import.meta.url));

interface Truth {
  readonly toolkits: readonly { readonly slug: string; readonly status?: string }[];
  readonly tools: readonly { readonly slug: string; readonly is_deprecated?: boolean | null }[];
  readonly triggers: readonly { readonly slug: string }[];
}

const calm = {
  pages: 'vary',
  dup: 0,
  rate: 0,
  err: 0,
  cut: 0,
  emptyPage: false,
  totals: 'exact',
  badRow: null,
  cycle: false,
  removeMid: null,
  retryAfter: '0',
  paramsInList: true,
  maxPage: 150,
};

describe.skipIf(!existsSync(script))('a server that misbehaves (skipped where ../shared/checks is absent)', () => {
  let server: ChildProcess;
  let url: string;
  let helve: TestHelve;
  let dataDir: string;
  const post = async (path: string, body: object): Promise<void> => {
    await fetch(`${url}${path}`, { method: 'POST', body: JSON.stringify(body) });
  };
  const truth = async (): Promise<Truth> => (await (await fetch(`${url}/__truth`)).json()) as Truth;

  beforeAll(async () => {
    const place = createServer().listen(0, '127.0.0.1');
    await once(place, 'listening');
    const { port } = place.address() as { port: number };
    place.close();
    await once(place, 'close');
    url = `http://127.0.0.1:${port}`;
    server = spawn(process.execPath, [script, String(port)], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(server.stdout as NodeJS.ReadableStream, 'data');
  });
  afterAll(() => void server?.kill());
  beforeEach(async () => {
    await post('/__ctl', calm);
    dataDir = await mkdtemp(join(tmpdir(), 'helve-misbehaving-'));
    helve = await createTestHelve({ config: composioConfig({ url, apiKey: 'k_test' }), granted: [], dataDir });
  });
  afterEach(async () => {
    await helve.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  const stored = () => rowsBySql(join(dataDir, 'helve.db'));
  const slugs = (rows: readonly Row[]): string[] => rows.map(({ slug }) => String(slug)).toSorted();

  /** The catalogue is what the server would list without faults, except for these. */
  async function expectTruth(): Promise<void> {
    const { toolkits, tools } = await truth();
    const { apps, actions } = await stored();
    const wanted = toolkits.filter(({ status }) => status !== 'DEPRECATED').map(({ slug }) => slug.toLowerCase());
    expect(slugs(apps)).toEqual(wanted.toSorted());
    const listed = tools.filter(({ is_deprecated }) => !is_deprecated).map(({ slug }) => slug);
    expect(slugs(actions)).toEqual(listed.toSorted());
    const { sources } = await helve.plane.cacheStatus(helve.admin);
    expect(sources.find(({ source }) => source === 'composio')).toMatchObject({
      apps: wanted.length,
      actions: listed.length,
    });
  }

  const bad = (what: string, row: unknown) => ({ badRow: { what, n: 1, row } });
  test.each([
    ['pages of all sizes', {}, 0],
    ['rows that come twice', { dup: 5 }, 0],
    ['an empty page in the middle', { emptyPage: true }, 0],
    ['totals of null', { totals: 'null' }, 0],
    ['totals that are too high', { totals: 'more' }, 0],
    ['totals as text', { totals: 'string' }, 0],
    ['a toolkit that is null', bad('toolkits', null), 1],
    ['a tool without a slug', bad('tools', { name: 'x' }), 1],
    ['a trigger whose config is text', bad('triggers', { slug: 'X', config: 'none' }), 1],
    ['refusals and lost answers on the way', { rate: 17, err: 23, cut: 29 }, 0],
  ])('R-sync: %s: both kinds of synchronisation end, and the catalogue is the truth', async (_, faults, leftOut) => {
    await post('/__ctl', faults);
    const full = await syncNow(helve);
    expect([full.status, full.error, full.leftOut?.length ?? 0]).toEqual(['done', undefined, leftOut]);
    await expectTruth();
    const { toolkits } = await truth();
    expect(full.counts.apps).toBe(toolkits.filter(({ status }) => status !== 'DEPRECATED').length);
    expect(await syncNow(helve, 'incremental')).toMatchObject({ status: 'done' });
    await expectTruth();
  });

  test('R-composio-client: an action whose schema cannot be honoured is refused by name; a dangerous pattern is matched safely', async () => {
    await syncNow(helve);
    const refused = await helve.plane.unofferedTools(helve.admin, 'github');
    expect(refused.map(({ name }) => name)).toEqual(['GITHUB_BAD_PATTERN', 'GITHUB_BAD_REF']);
    expect(refused.every(({ reason }) => reason !== '')).toBe(true);
  });

  test('R-sync: a circle of cursors ends', async () => {
    await syncNow(helve);
    await post('/__ctl', { cycle: true });
    expect(await syncNow(helve)).toMatchObject({ status: 'failed', error: expect.stringMatching(/do not end/) });
    await expectTruth();
  });

  test('R-sync: apps that disappear while their tools are listed remove nothing else', async () => {
    await syncNow(helve);
    const { toolkits } = await truth();
    const gone = toolkits.slice(2, 5).map(({ slug }) => slug);
    await post('/__ctl', { removeMid: gone });
    expect(await syncNow(helve)).toMatchObject({ status: 'done' });
    const there = new Set(slugs((await stored()).actions));
    const { tools } = await truth();
    expect(tools.filter(({ slug, is_deprecated }) => !is_deprecated && !there.has(slug))).toEqual([]);
    expect(await syncNow(helve, 'incremental')).toMatchObject({ status: 'done' });
    await expectTruth();
  });
});
