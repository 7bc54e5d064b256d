/** Who follows a run loses it with their rights. */
import { afterEach, expect, test, vi } from 'vitest';
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

test.each([
  ['a person without a session of theirs', 'disabled'],
  ['a person without a session of theirs', 'removed'],
  ['an agent that acts for a person', 'disabled'],
  ['an agent that acts for a person', 'removed'],
] as const)('attack: a run of %s makes no more calls once the person is %s', async (who, how) => {
  const execute = vi.fn(async () => ({}));
  const guarded = testTool({ name: 'guarded', highRisk: true, execute });
  helve = await createTestHelve({ nativeToolkits: [], tools: [guarded] });
  const { plane, admin } = helve;
  const { user, link } = await plane.createUser(admin, { name: 'Eve', role: 'admin' });
  const { session } = await plane.redeemAdminLink(link.slice(link.indexOf('token=') + 6));
  const { credentialId: _, ...eve } = await plane.authenticateSession(session);
  // `eve` has no session, like the person for whom a task source writes.
  const starter = who.startsWith('an agent') ? await plane.actAs(eve, 'tester') : eve;
  const run = await plane.runCode(starter, { code: 'await custom.guarded({}); return "canary"' });
  const events = plane.followRun(starter, run.id, AbortSignal.timeout(10_000))[Symbol.asyncIterator]();
  expect((await events.next()).value).toMatchObject({ type: 'run' });
  const [wait] = run.waits;
  if (wait?.for !== 'approval') throw new Error('it does not wait for an approval');
  await (how === 'removed' ? plane.removeUser(admin, user.id) : plane.changeUser(admin, user.id, { disabled: true }));
  await plane.decideApproval(admin, wait.approvalId, 'approved', 'api');
  await expect.poll(async () => (await plane.getRun(admin, run.id)).finishedAt).toBeDefined();
  expect(await plane.getRun(admin, run.id)).toMatchObject({ status: 'failed', error: { code: 'unauthenticated' } });
  expect(execute).not.toHaveBeenCalled();
  // The stream of the run ends too.
  if (who.startsWith('an agent')) await expect(events.next()).rejects.toMatchObject({ code: 'unauthenticated' });
});

test('attack: a run of a key makes no more calls once the key has expired', async () => {
  const execute = vi.fn(async () => ({}));
  helve = await createTestHelve({
    nativeToolkits: [],
    tools: [testTool({ name: 'guarded', highRisk: true, execute })],
  });
  const { plane, admin } = helve;
  const startFor = async (expiresInSeconds: number) => {
    const { secret } = await plane.createApiKey(admin, { permissions: ['tools:read', 'tools:call'], expiresInSeconds });
    return plane.runCode(await plane.authenticate(secret), { code: 'await custom.guarded({})' });
  };
  // The control: the other key is still valid.
  for (const [seconds, status] of [
    [60, 'failed'],
    [600, 'succeeded'],
  ] as const) {
    const run = await startFor(seconds);
    const [wait] = run.waits;
    if (wait?.for !== 'approval') throw new Error('it does not wait for an approval');
    helve.advance(61_000);
    await plane.decideApproval(admin, wait.approvalId, 'approved', 'api');
    await expect.poll(async () => (await plane.getRun(admin, run.id)).status).toBe(status);
  }
  expect(execute).toHaveBeenCalledTimes(1);
});

test.each([
  'expires',
  'is revoked',
])('what an agent has begun goes on when its token only expires: the token %s', async (how) => {
  helve = await createTestHelve({ nativeToolkits: [], tools: [testTool({ name: 'guarded', highRisk: true })] });
  const { plane, admin } = helve;
  const { secret, credential } = await plane.issueAgentToken(admin, 'tester', { expiresInSeconds: 60 });
  const run = await plane.runCode(await plane.authenticate(secret), { code: 'await custom.guarded({})' });
  const [wait] = run.waits;
  if (wait?.for !== 'approval') throw new Error('it does not wait for an approval');
  if (how === 'expires') helve.advance(61_000);
  else await plane.revokeCredential(admin, credential.id);
  await expect(plane.authenticate(secret)).rejects.toMatchObject({ code: 'unauthenticated' });
  await plane.decideApproval(admin, wait.approvalId, 'approved', 'api');
  const status = how === 'expires' ? 'succeeded' : 'failed';
  await expect.poll(async () => (await plane.getRun(admin, run.id)).status).toBe(status);
});
