/** Shows who uses an account. Its owner may ask, and so may anyone with the permission to read grants. */
import { afterEach, expect, test } from 'vitest';
import { createTestHelve, type TestHelve } from '../../testing/index.js';
import { vault } from './testing/vault-toolkit.js';

let helve: TestHelve;
afterEach(() => helve.close());

test('R-visibility R-people: the owner sees which agents have their account, how often they called, and when last', async () => {
  helve = await createTestHelve({ nativeToolkits: [], toolkits: [vault] });
  const { plane, admin } = helve;
  const join = async (name: string) => {
    const { link } = await plane.createUser(admin, { name, role: 'member' });
    return (await plane.redeemAdminLink(link.split('token=')[1] ?? '')).principal;
  };
  const [mia, max] = [await join('Mia'), await join('Max')];
  const own = await plane.addConnection(mia, { toolkit: 'vault', name: 'Safe', visibility: 'workspace' });
  await plane.connect(mia, own.id, { credentials: { token: 'canary' }, check: false });
  expect(await plane.connectionUsage(mia, own.id)).toEqual({ connection: 'safe', agents: [], calls: 0 });
  const grants = [{ toolkit: 'vault', connectionId: own.id, tools: ['open_vault'], limits: {}, config: {} }];
  await plane.replaceGrants(admin, 'tester', grants);
  await plane.createAgent(admin, { slug: 'idle' });
  await plane.replaceGrants(admin, 'idle', grants);
  for (let count = 0; count < 3; count++) expect(await helve.call('safe__open_vault', {})).toMatchObject({ ok: true });
  const usage = await plane.connectionUsage(mia, own.id);
  expect(usage).toMatchObject({ calls: 3, lastUsedAt: expect.stringMatching(/^20/) });
  expect(
    usage.agents.map(({ slug, tools, calls, lastUsedAt }) => [slug, tools, calls, lastUsedAt !== undefined]),
  ).toEqual(
    expect.arrayContaining([
      ['tester', ['open_vault'], 3, true],
      ['idle', ['open_vault'], 0, false],
    ]),
  );
  // Another member does not see the account at all; a key that may not read grants does not see who uses it.
  await expect(plane.connectionUsage(max, own.id)).rejects.toMatchObject({ code: 'not_found' });
  const key = await plane.createApiKey(admin, { permissions: ['connections:read'] });
  const reader = await plane.authenticate(key.secret);
  await expect(plane.connectionUsage(reader, own.id)).rejects.toMatchObject({ code: 'forbidden' });
  expect((await plane.connection(reader, own.id)).id).toBe(own.id);
  // Withdrawn: the calls that were made stay counted.
  await plane.withdrawConnection(mia, own.id, 'tester');
  const after = await plane.connectionUsage(mia, own.id);
  expect([after.calls, after.agents.map(({ slug }) => slug)]).toEqual([3, ['idle']]);
});
