/** What the first agent of an installation may use, and what two starts make of one store. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HelveError } from '../../domain/errors.js';
import type { Principal } from '../../domain/principal.js';
import { defineToolkit, type ToolDefinition } from '../../domain/tool.js';
import { createHelve, type Helve } from '../../helve.js';
import { testTool } from '../../testing/index.js';
import { repeatOnConflict } from './first-run.js';
import { type LateProvider, lateProvider } from './testing/late-provider.js';
import { storedGrants, storeGrant } from './testing/stored-grants.js';

const kinds: Record<string, Partial<ToolDefinition>> = { burn: { risk: 'destructive' }, explain: { intrinsic: true } };
const toolkit = (slug: string, names: readonly string[], more: object = {}) =>
  defineToolkit({
    slug,
    title: slug,
    description: 'For tests',
    category: 'tests',
    load: async () => names.map((name) => testTool({ name, ...kinds[name] })),
    ...more,
  });
const scheme = { id: 't', kind: 'api_key', title: 'T', fields: [{ name: 't', title: 'T', secret: true }] } as const;
const withAccounts = {
  auth: { schemes: [scheme] },
  service: { servers: () => ({ default: { url: 'https://vendor.invalid' } }) },
};

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'helve-first-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

interface Opened {
  readonly helve: Helve;
  readonly workspaceId: string;
  readonly firstToken: string | undefined;
  readonly reported: unknown[];
  /** Toolkit and tools of each grant of the first agent. */
  granted(): Promise<readonly (readonly [string, readonly string[]])[]>;
}

/** The first start of an installation with these external toolkits. */
async function opened<T>(late: readonly Pick<LateProvider, 'provider'>[], use: (opened: Opened) => Promise<T>) {
  const reported: unknown[] = [];
  const helve = await createHelve({
    dataDir,
    nativeToolkits: [],
    toolkits: [
      toolkit('house', ['look', 'burn', 'explain']),
      toolkit('fire', ['burn']),
      toolkit('mail', ['send'], withAccounts),
    ],
    providers: late.map(({ provider }) => provider),
    reportError: (error) => reported.push(error),
  });
  try {
    const { workspaceId, firstToken } = await helve.setUp();
    return await use({ helve, workspaceId, firstToken, reported, granted: () => grantedIn(workspaceId) });
  } finally {
    await helve.close();
  }
}

async function grantedIn(workspaceId: string) {
  const grants = await storedGrants({ dataDir, workspaceId, slug: 'first' });
  const pairs = grants.map((grant) => [grant.toolkit, grant.tools] as const);
  return pairs.sort(([one], [other]) => (one < other ? -1 : 1));
}

async function adminOf(helve: Helve, workspaceId: string): Promise<Principal> {
  return (await helve.plane.redeemAdminLink(await helve.adminLink(workspaceId))).principal;
}

const house = ['house', ['look']] as const;
const far = ['far', ['fetch']] as const;
const near = ['near', ['fetch']] as const;

test('R-grants: the first agent may use what needs no account and destroys nothing', async () => {
  const late = lateProvider();
  await opened([late], async ({ granted }) => {
    expect(await granted()).toEqual([house]);
    late.offer('fetch', 'destroy');
    await expect.poll(granted).toEqual([far, house]);
  });
});

test.each([
  { onDemand: true },
  { needsConnection: true },
])('R-grants: an external toolkit with %j is not granted, and its server is not asked', async (facts) => {
  const [late, other] = [lateProvider(facts), lateProvider({ slug: 'near' })];
  await opened([late, other], async ({ granted }) => {
    late.offer('fetch');
    other.offer('fetch');
    await expect.poll(granted).toEqual([house, near]);
    expect(late.wasAsked()).toBe(false);
  });
});

test('R-grants: a server that fails or does not answer stops neither the start nor the grants of others', async () => {
  const [silent, other] = [lateProvider(), lateProvider({ slug: 'near' })];
  const { provider } = lateProvider({ slug: 'broken' });
  const tools = async (slug: string) => (slug === 'broken' ? Promise.reject(new Error('down')) : []);
  await opened([{ provider: { ...provider, tools } }, silent, other], async ({ granted }) => {
    other.offer('fetch');
    await expect.poll(granted).toEqual([house, near]);
  });
});

test('R-grants: documents are read one after the other; one whose tools need an account is not granted', async () => {
  const [locked, open] = [true, false].map((needsConnection) =>
    lateProvider({ slug: needsConnection ? 'locked' : 'open', provider: 'openapi', needsConnection }),
  ) as [LateProvider, LateProvider];
  const server = lateProvider();
  await opened([locked, open, server], async ({ granted, reported }) => {
    server.offer('fetch');
    open.offer('list');
    await expect.poll(granted).toEqual([far, house]);
    expect(open.wasAsked()).toBe(false);
    locked.offer('list');
    await expect.poll(granted).toEqual([far, house, ['open', ['list']]]);
    expect(reported).toEqual([]);
  });
});

test('R-grants: a toolkit that only destroys is not granted, and grants of other agents do not count', async () => {
  const [fires, late, other] = [lateProvider({ slug: 'fires' }), lateProvider(), lateProvider({ slug: 'near' })];
  await opened([fires, late, other], async ({ helve, workspaceId, granted, reported }) => {
    await helve.plane.createAgent(await adminOf(helve, workspaceId), { slug: 'second' });
    await storeGrant({ dataDir, workspaceId, slug: 'second' }, { toolkit: 'far', tools: ['fetch'] });
    fires.offer('destroy');
    late.offer('fetch');
    other.offer('fetch');
    await expect.poll(granted).toEqual([far, house, near]);
    expect(reported).toEqual([]);
  });
});

test('attack: what an operator has granted meanwhile is not widened when the toolkit is read', async () => {
  const [late, other] = [lateProvider(), lateProvider({ slug: 'near' })];
  await opened([late, other], async ({ workspaceId, granted }) => {
    const first = { dataDir, workspaceId, slug: 'first' };
    const limits = { fetch: { properties: { to: { const: 'ada' } } } };
    await storeGrant(first, { toolkit: 'far', tools: ['other'], limits });
    late.offer('fetch', 'other');
    other.offer('fetch');
    await expect.poll(granted).toEqual([['far', ['other']], near]);
    // The limit of a tool that may be granted later stays, too.
    expect(await storedGrants(first)).toContainEqual(expect.objectContaining({ toolkit: 'far', limits }));
  });
});

test('attack: a new agent with the slug of the first, which was removed, gets none of its grants', async () => {
  const late = lateProvider();
  await opened([late], async ({ helve, workspaceId, granted, reported }) => {
    const admin = await adminOf(helve, workspaceId);
    await helve.plane.removeAgent(admin, 'first');
    await helve.plane.createAgent(admin, { slug: 'first' });
    const elsewhere = await helve.setUp('elsewhere');
    late.offer('fetch');
    // The first agent of another workspace gets them, after those that came before it.
    await expect.poll(() => grantedIn(elsewhere.workspaceId)).toEqual([far, house]);
    expect([await granted(), reported]).toEqual([[], []]);
  });
});

test('R-grants: the token is issued once', () =>
  opened([], async ({ helve, firstToken }) => {
    expect(await helve.tools({ principal: firstToken ?? '' })).toMatchObject([{ name: 'look' }, { name: 'explain' }]);
    expect(await helve.setUp()).toMatchObject({ firstAgent: 'first', firstToken: undefined, created: false });
  }));

test('R-grants: a conflict is tried again a few times, and no other failure', async () => {
  const failing = (...errors: Error[]) => {
    let tried = 0;
    const act = async () => {
      tried += 1;
      const error = errors.shift();
      if (error) throw error;
      return tried;
    };
    return repeatOnConflict(act).catch((error: Error) => `${error.message} after ${tried}`);
  };
  const conflict = new HelveError('conflict', 'conflict');
  expect(await failing(conflict, conflict)).toBe(3);
  expect(await failing(...Array.from({ length: 9 }, () => conflict))).toBe('conflict after 5');
  expect(await failing(new HelveError('not_found', 'not found'))).toBe('not found after 1');
  expect(await failing(new Error('other'))).toBe('other after 1');
});
