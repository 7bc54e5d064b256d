/** Pages of agents: search, both directions, counts, and what they cost the store. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { countStatements } from '../../../tests/counterparts/statements.js';
import { stores, useStore } from '../../../tests/counterparts/stores.js';
import type { AgentsQuery } from '../../domain/agents.js';
import { createTestHelve, type TestHelve, testTool } from '../../testing/index.js';
import { vault } from './testing/vault-toolkit.js';

const hourMs = 3_600_000;

describe.each(stores)('%s', (store) => {
  const storeOf = useStore(store);
  let helve: TestHelve;
  let end = (): void => undefined;
  beforeAll(async () => {
    helve = await createTestHelve({
      ...(await storeOf()),
      nativeToolkits: [],
      tools: [testTool({ name: 'look' }), testTool({ name: 'touch' })],
    });
    for (let at = 199; at > 0; at -= 1)
      await helve.plane.createAgent(helve.admin, { slug: `agent-${at}`, name: `No. ${at}` });
  }, 60_000);
  afterEach(() => end());
  afterAll(() => helve?.close());

  const list = (query: AgentsQuery) => helve.plane.listAgents(helve.admin, query);
  const slugs = async (query: AgentsQuery) => (await list(query)).agents.map(({ slug }) => slug);

  test('R-panel: pages go on in both directions, each agent once', async () => {
    const all: string[] = [];
    const pages: string[][] = [];
    for (let after: string | undefined = ''; after !== undefined; ) {
      const page = await list({ limit: 50, ...(after === '' ? {} : { after }) });
      expect(page.total).toBe(200);
      expect(page.previous === undefined).toBe(pages.length === 0);
      pages.push(page.agents.map(({ slug }) => slug));
      all.push(...page.agents.map(({ slug }) => slug));
      after = page.next;
    }
    expect(pages.map((page) => page.length)).toEqual([50, 50, 50, 50]);
    expect(all).toEqual([...new Set(all)].sort());
    const back = await list({ limit: 50, before: pages[2]?.[0] ?? '' });
    expect([back.agents.map(({ slug }) => slug), back.next, back.previous]).toEqual([
      pages[1],
      pages[1]?.at(-1),
      pages[1]?.[0],
    ]);
    expect(await list({ after: 'zzz' })).toEqual({ agents: [], total: 200, previous: 'zzz' });
    await expect(list({ after: 'a', before: 'b' })).rejects.toMatchObject({ code: 'invalid_input' });
  });

  test('R-panel: words are looked for in the name and the slug', async () => {
    expect(await slugs({ search: 'no. 17', limit: 3 })).toEqual(['agent-117', 'agent-17', 'agent-170']);
    expect(await slugs({ search: 'TESTER' })).toEqual(['tester']);
    expect(await list({ search: 'nobody' })).toEqual({ agents: [], total: 0 });
  });

  test('R-panel: a page of 50 out of 200 asks the store no more often than a page of one', async () => {
    const statements = countStatements(store);
    end = statements.end;
    const cost = async (limit: number) => {
      const before = statements.read();
      expect((await list({ limit })).agents).toHaveLength(limit);
      return statements.read() - before;
    };
    // What the process does by itself is counted too: it still looks what the new agents change for issues.
    for (let before = -1; before !== statements.read(); await sleep(200)) before = statements.read();
    const least = async (limit: number) => Math.min(await cost(limit), await cost(limit), await cost(limit));
    const [one, fifty] = [await least(1), await least(50)];
    expect(fifty).toBe(one);
    expect(one).toBeGreaterThan(0);
    expect(fifty).toBeLessThanOrEqual(6);
  });
});

test('R-panel R-visibility: counts are of today, and leave out what the asker may not see', async () => {
  const helve = await createTestHelve({
    nativeToolkits: [],
    tools: [testTool({ name: 'look' })],
    toolkits: [vault],
    connections: [{ toolkit: 'vault', name: 'Safe', credentials: { token: 'canary' }, visibility: 'private' }],
  });
  const { plane, admin } = helve;
  const usage = async (by = admin) => (await plane.listAgents(by, { search: 'tester' })).agents[0]?.usage;
  const grants = await plane.grantCatalogue(admin, 'tester');
  const granted = grants.grants.reduce((total, { tools }) => total + tools.length, 0);
  expect(await usage()).toEqual({ granted, offered: 1, callsLastDay: 0 });
  await helve.call('look', {});
  const first = Date.parse((await usage())?.lastSeenAt ?? '');
  helve.advance(25 * hourMs);
  await helve.call('look', {});
  const seen = await usage();
  expect(seen).toMatchObject({ granted, callsLastDay: 1 });
  expect(Date.parse(seen?.lastSeenAt ?? '') - first).toBeGreaterThanOrEqual(25 * hourMs);
  helve.advance(25 * hourMs);
  expect(await usage()).toEqual({ ...seen, callsLastDay: 0 });
  await plane.enableTools(admin, 'custom', { enabled: false });
  const effective = (await plane.effectiveTools(admin, 'tester')).tools.length;
  expect([(await usage())?.offered, effective]).toEqual([0, 0]);
  // Another admin does not see the private account, nor what is granted on it; a key knows what it may read.
  const { secret } = await plane.createApiKey(admin, { permissions: ['agents:read', 'tools:read', 'grants:read'] });
  const key = await plane.authenticate(secret);
  expect(await usage(key)).toEqual({ granted: 1, callsLastDay: 0 });
  const { secret: least } = await plane.createApiKey(admin, { permissions: ['agents:read'] });
  expect(await usage(await plane.authenticate(least))).toEqual({});
  await helve.close();
});
