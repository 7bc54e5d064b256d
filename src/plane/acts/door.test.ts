/** Who is admitted to ask at all, who has a session to end, and what the machine is told to lack. */
import { afterEach, describe, expect, test } from 'vitest';
import { HelveError } from '../../domain/errors.js';
import { allPermissions, type Principal } from '../../domain/principal.js';
import { createTestHelve, type TestHelve } from '../../testing/index.js';
import { createDoor } from './door.js';

describe('a request', () => {
  /** What is counted for a secret that is answered in this way, or the error. */
  async function counted(secret: string | undefined, answer: () => unknown): Promise<unknown> {
    const seen: string[] = [];
    const count = (what: string) => async (of: string) => void seen.push(`${what} ${of}`);
    const door = createDoor({
      authenticator: { authenticate: async () => answer() },
      limits: {
        admitAddress: count('address'),
        admitCredential: async () => void seen.push('credential'),
        admitFailure: count('failure'),
      },
    } as never);
    return door.admitRequest('10.0.0.1', secret).then(
      () => seen,
      (error) => error,
    );
  }
  const failing = (error: Error) => () => {
    throw error;
  };

  test('attack: it is counted by its address, by its credential, or as a failure of its address', async () => {
    expect(await counted(undefined, () => ({}))).toEqual(['address 10.0.0.1']);
    expect(await counted('secret', () => ({}))).toEqual(['credential']);
    expect(await counted('secret', failing(new HelveError('unauthenticated', 'no')))).toEqual(['failure 10.0.0.1']);
  });

  test('R-limits: a store that fails is not counted as a wrong secret', async () => {
    for (const error of [new HelveError('storage_failed', 'no'), new Error('no')])
      expect(await counted('secret', failing(error))).toBe(error);
  });
});

describe('the end of a session', () => {
  let helve: TestHelve;
  afterEach(() => helve.close());

  test('attack: a key, or code that shows no credential, has no session to end, and ends nothing', async () => {
    helve = await createTestHelve();
    const { plane, admin } = helve;
    const { secret } = await plane.createApiKey(admin, { permissions: allPermissions });
    const { credentialId: _, ...bare } = admin;
    for (const by of [await plane.authenticate(secret), bare as Principal])
      for (const act of [() => plane.signOut(by), () => plane.signOutEverywhere(by)])
        await expect(act()).rejects.toMatchObject({ code: 'forbidden', hint: expect.stringContaining('Revoke a key') });
    expect(await plane.authenticate(secret)).toMatchObject({ kind: 'api_key' });
    const { session } = await plane.redeemAdminLink(await helve.adminLink(helve.workspaceId));
    await plane.signOut(await plane.authenticateSession(session));
    await expect(plane.authenticateSession(session)).rejects.toMatchObject({ code: 'unauthenticated' });
  });
});

test('R-tool-config: the doctor is told of each toolkit in use that lacks tools, and why', async () => {
  const unoffered: Record<string, { name: string; reason: string }[]> = {
    whole: [{ name: '*', reason: 'it cannot be read' }],
    some: ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => ({ name, reason: 'bad schema' })),
    none: [],
    unused: [{ name: '*', reason: 'nobody asked' }],
  };
  const toolkits = Object.keys(unoffered).map((slug) => ({ slug, onDemand: slug === 'unused' }));
  const door = createDoor({
    machineChecks: async () => [{ check: 'sandbox', ok: true, detail: '' }],
    registry: { toolkits: async () => toolkits, unoffered: async (slug: string) => unoffered[slug] },
    configurations: { getFresh: async () => ({ connections: [], toolkits: [] }) },
  } as never);
  const by = { workspaceId: 'w' } as Principal;
  const named = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}: bad schema`).join('; ');
  expect(await door.machineChecks(by)).toEqual([
    { check: 'sandbox', ok: true, detail: '' },
    { check: 'toolkit whole', ok: false, detail: 'it cannot be read' },
    { check: 'toolkit some', ok: false, detail: `6 tools are not offered. ${named}; and 1 more` },
  ]);
});
