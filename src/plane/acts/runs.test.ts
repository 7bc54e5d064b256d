/** Who follows a run loses it with their rights. */
import { afterEach, expect, test } from 'vitest';
import type { Principal } from '../../domain/principal.js';
import { createTestHelve, type TestHelve, testTool } from '../../testing/index.js';

let helve: TestHelve;
afterEach(() => helve.close());

test.each([
  'the token of the agent',
  'a key',
])('attack: once %s is revoked, nothing more is told of a run that it follows', async (what) => {
  helve = await createTestHelve({ nativeToolkits: [], tools: [testTool({ name: 'guarded', highRisk: true })] });
  const { plane, admin, agent } = helve;
  const run = await plane.runCode(agent, { code: 'await custom.guarded({}); return "canary"' });
  const [wait] = run.waits;
  if (wait?.for !== 'approval') throw new Error('it does not wait for an approval');
  const isKey = what === 'a key';
  const permissions = ['tools:read', 'tools:call', 'audit:read'] as const;
  const issued = isKey
    ? await plane.createApiKey(admin, { permissions })
    : await plane.issueAgentToken(admin, 'tester', {});
  const follow = (by: Principal) => plane.followRun(by, run.id, AbortSignal.timeout(10_000))[Symbol.asyncIterator]();
  const events = follow(await plane.authenticate(issued.secret));
  const control = follow(agent);
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
  expect(last.run).toMatchObject({ value: 'canary' });
});
