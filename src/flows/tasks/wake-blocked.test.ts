/** Issues that wait are told of a change only if it makes a difference to them. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { vault } from '../../plane/acts/testing/vault-toolkit.js';
import { createTestHelve, type TestHelve } from '../../testing/index.js';
import { untilIssue } from '../../testing/until-issue.js';

let helve: TestHelve;
afterEach(() => helve.close());
const silent = { modelId: 'silent', doGenerate: () => new Promise<never>(() => {}) };

it('R-machines: a change that leaves an issue blocked for the same reasons is no event for it, and one that does not is', async () => {
  helve = await createTestHelve({ publicUrl: 'http://localhost', toolkits: [vault], models: { language: silent } });
  const { plane, admin } = helve;
  const change = (id: string) => plane.replacePolicies(admin, [{ id, effect: 'allow', when: {} }]);
  const blocked = async (requiredApps: readonly string[]) => {
    const { id } = await plane.createIssue(admin, { title: 'It breaks', tools: { requiredApps } });
    await plane.assignIssue(admin, id, { agent: 'tester' });
    await untilIssue(helve, id, ({ state }) => state === 'blocked');
    return id;
  };
  const { revision } = helve.storage.workspace(helve.workspaceId);
  const id = await blocked(['vault']);
  const useless: string[] = [];
  for (const name of ['a', 'b', 'c']) {
    await change(name);
    useless.push(`configuration:${await revision()}`);
  }
  // What looks for the last of them must not see what follows.
  await pause(1_000);
  // It is connected, and the agent still has no grant for it: another reason.
  const connection = await plane.addConnection(admin, { toolkit: 'vault', name: 'Main' });
  await plane.connect(admin, connection.slug, { credentials: { token: 'x' } });
  await untilIssue(helve, id, ({ blockedBy: [one] }) => one?.reason === 'grant');
  await plane.changeGrants(admin, 'tester', { add: [{ account: connection.slug }] });
  await untilIssue(helve, id, ({ state }) => state === 'executing');
  const { events } = await plane.getActor(admin, { kind: 'issue', id });
  expect(events.filter((one) => useless.includes(one.id))).toEqual([]);
});
