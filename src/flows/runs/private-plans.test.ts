/** A plan is asked of those who see the accounts of all its effects. */
import { expect, test } from 'vitest';
import type { Principal } from '../../domain/principal.js';
import { vault } from '../../plane/acts/testing/vault-toolkit.js';
import { createTestHelve, testTool } from '../../testing/index.js';

const canary = 'ghp_canary0123456789abcdef';

test('leak: a plan with another person’s private account is not asked of an admin, who sees its arguments without secrets', async () => {
  const inputSchema = { type: 'object', properties: { note: { type: 'string' } } };
  const act = testTool({ name: 'act', inputSchema, execute: async () => ({}) });
  const helve = await createTestHelve({
    nativeToolkits: [],
    toolkits: [{ ...vault, load: async () => [act] }],
    connections: [{ toolkit: 'vault', name: 'Shared', credentials: { token: 'first' } }],
  });
  const { plane, admin } = helve;
  const { link } = await plane.createUser(admin, { name: 'Eve', role: 'admin' });
  const eve = (await plane.redeemAdminLink(link.slice(link.indexOf('token=') + 6))).principal;
  const own = await plane.addConnection(eve, { toolkit: 'vault', name: 'Own', visibility: 'private' });
  await plane.connect(eve, own.id, { credentials: { token: 'second' } });
  const plan = (account: string) =>
    plane.runCode(eve, { code: `await ${account}.act({ note: '${canary}' })`, mode: 'plan' });
  const [shared, hers] = [await plan('shared'), await plan('own')];
  expect([shared, hers]).toMatchObject([{ planned: { status: 'pending' } }, { planned: { status: 'pending' } }]);
  const asked = async (who: Principal) => (await plane.listRuns(who, { plan: 'pending' })).map(({ id }) => id);
  expect(await asked(admin)).toEqual([shared.id]);
  expect(await asked(eve)).toEqual([hers.id, shared.id]);
  const seen = async (id: string) => JSON.stringify((await plane.getRun(admin, id)).planned);
  expect(await seen(shared.id)).toContain(canary);
  expect(await seen(hers.id)).not.toContain(canary);
  expect((await plane.getRun(admin, hers.id)).planned).toMatchObject({ status: 'pending', forOthers: true });
  expect((await plane.getRun(admin, shared.id)).planned).not.toHaveProperty('forOthers');
  const approve = (who: Principal, id: string) => plane.decideRun(who, id, { decision: 'approve_plan' });
  await expect(approve(admin, hers.id)).rejects.toMatchObject({ code: 'not_found' });
  expect(await approve(eve, hers.id)).toMatchObject({ planned: { status: 'approved' } });
  expect(await approve(admin, shared.id)).toMatchObject({ planned: { status: 'approved' } });
  await helve.close();
});
