/** Who follows a run loses it with their rights. */
import { afterEach, expect, test } from 'vitest';
import type { Principal } from '../../domain/principal.js';
import { createTestHelve, type TestHelve, testTool } from '../../testing/index.js';

let helve: TestHelve;
afterEach(() => helve.close());

test.each([
  'the token of the agent',
  'a key',
  'a key that acts as the agent',
])('attack: once %s is revoked, nothing more is told of a run that it follows', async (what) => {
  helve = await createTestHelve({ nativeToolkits: [], tools: [testTool({ name: 'guarded', highRisk: true })] });
  const { plane, admin, agent } = helve;
  const permissions = ['tools:read', 'tools:call', 'audit:read', 'agents:act'] as const;
  const issued = what.startsWith('a key')
    ? await plane.createApiKey(admin, { permissions })
    : await plane.issueAgentToken(admin, 'tester', {});
  const caller = await plane.authenticate(issued.secret);
  const acting = what.endsWith('acts as the agent') ? await plane.actAs(caller, 'tester') : caller;
  const isOwn = acting.onBehalfOf !== undefined;
  const run = await plane.runCode(isOwn ? acting : agent, { code: 'await custom.guarded({}); return "canary"' });
  const [wait] = run.waits;
  if (wait?.for !== 'approval') throw new Error('it does not wait for an approval');
  const follow = (by: Principal) => plane.followRun(by, run.id, AbortSignal.timeout(10_000))[Symbol.asyncIterator]();
  const events = follow(acting);
  const control = follow(admin);
  for (const one of [events, control]) expect((await one.next()).value).toMatchObject({ type: 'run' });
  await plane.revokeCredential(admin, issued.credential.id);
  await plane.decideApproval(admin, wait.approvalId, 'approved', 'api');
  await expect(
    (async () => {
      for (let next = await events.next(); !next.done; next = await events.next()) expect(next.value).toBe('nothing');
    })(),
  ).rejects.toMatchObject({ code: 'unauthenticated' });
  let last = (await control.next()).value;
  while (last.type !== 'settled') last = (await control.next()).value;
  // What the key itself has started ends with it.
  expect(last.run).toMatchObject(isOwn ? { status: 'failed' } : { value: 'canary' });
});

test('attack: a run for a person without a session of theirs ends once they are disabled', async () => {
  helve = await createTestHelve({ nativeToolkits: [], tools: [testTool({ name: 'guarded', highRisk: true })] });
  const { plane, admin, workspaceId } = helve;
  const { user } = await plane.createUser(admin, { name: 'Eve', role: 'admin' });
  await helve.storage.workspace(workspaceId).change([], (tables) => tables.changeUser({ ...user, status: 'active' }));
  // As what a task source writes back: nobody is signed in.
  const eve: Principal = { kind: 'user', id: user.id, name: 'Eve', workspaceId, permissions: admin.permissions };
  const run = await plane.runCode(eve, { code: 'await custom.guarded({}); return "canary"' });
  const [wait] = run.waits;
  if (wait?.for !== 'approval') throw new Error('it does not wait for an approval');
  await plane.changeUser(admin, user.id, { disabled: true });
  await plane.decideApproval(admin, wait.approvalId, 'approved', 'api');
  await expect.poll(async () => (await plane.getRun(admin, run.id)).finishedAt).toBeDefined();
  expect(await plane.getRun(admin, run.id)).toMatchObject({ status: 'failed', error: { code: 'unauthenticated' } });
});
