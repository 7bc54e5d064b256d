/** What the first agent of an installation may use, and what two starts make of one store. */
import { expect, test } from 'vitest';
import { HelveError } from '../../domain/errors.js';
import type { Toolkit } from '../../domain/tool.js';
import { defineToolkit } from '../../domain/tool.js';
import { createHelve, type Helve } from '../../helve.js';
import { testTool } from '../../testing/index.js';
import { repeatOnConflict } from './first-run.js';
import { lateProvider } from './testing/late-provider.js';

const toolkit = (slug: string, names: readonly string[], more: object = {}) =>
  defineToolkit({
    slug,
    title: slug,
    description: 'For tests',
    category: 'tests',
    load: async () => names.map((name) => testTool({ name, ...(name === 'burn' ? { risk: 'destructive' } : {}) })),
    ...more,
  });
const scheme = { id: 't', kind: 'api_key', title: 'T', fields: [{ name: 't', title: 'T', secret: true }] } as const;
const withAccounts = {
  auth: { schemes: [scheme] },
  service: { servers: () => ({ default: { url: 'https://vendor.invalid' } }) },
};

async function opened<T>(
  facts: Partial<Toolkit>,
  use: (helve: Helve, late: ReturnType<typeof lateProvider>) => Promise<T>,
) {
  const late = lateProvider(facts);
  const helve = await createHelve({
    nativeToolkits: [],
    toolkits: [toolkit('house', ['look', 'burn']), toolkit('fire', ['burn']), toolkit('mail', ['send'], withAccounts)],
    providers: [late.provider],
  });
  try {
    return await use(helve, late);
  } finally {
    await helve.close();
  }
}

async function granted(helve: Helve): Promise<readonly (readonly [string, readonly string[]])[]> {
  const { workspaceId } = await helve.ensureWorkspace('default');
  const { principal } = await helve.plane.redeemAdminLink(await helve.adminLink(workspaceId));
  const { grants } = await helve.plane.grantCatalogue(principal, 'first');
  return grants.map((grant) => [grant.toolkit, grant.tools] as const);
}

test('R-grants: the first agent may use what needs no account and destroys nothing', () =>
  opened({}, async (helve, late) => {
    await helve.setUp();
    expect(await granted(helve)).toEqual([['house', ['look']]]);
    late.offer('fetch', 'destroy');
    await expect
      .poll(() => granted(helve))
      .toEqual(
        expect.arrayContaining([
          ['far', ['fetch']],
          ['house', ['look']],
        ]),
      );
  }));

test('R-grants: an external toolkit on demand, or with accounts, is not granted', async () => {
  for (const facts of [{ onDemand: true }, { needsConnection: true }])
    await opened(facts, async (helve, late) => {
      late.offer('fetch');
      await helve.setUp();
      await helve.registry.tools('far');
      await expect.poll(() => granted(helve)).toEqual([['house', ['look']]]);
    });
});

test('R-grants: the token is issued once', () =>
  opened({}, async (helve) => {
    const first = await helve.setUp();
    expect(await helve.tools({ principal: first.firstToken ?? '' })).toMatchObject([{ name: 'look' }]);
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
