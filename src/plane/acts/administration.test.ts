/** A change of an agent leaves what somebody else decides about it at the same moment. */
import { afterEach, expect, test } from 'vitest';
import { createTestHelve, type TestHelve } from '../../testing/index.js';

let helve: TestHelve;
afterEach(() => helve.close());

/** Runs `meanwhile` once, just before the next change of the configuration is written. */
function beforeNextChange(meanwhile: (change: Change) => Promise<unknown>): void {
  const storage = helve.storage as { workspace: TestHelve['storage']['workspace'] };
  const { workspace } = storage;
  storage.workspace = (id) => {
    const found = workspace(id);
    const change: Change = async (...given) => {
      storage.workspace = workspace;
      await meanwhile(found.change);
      return found.change(...given);
    };
    return { ...found, change };
  };
}
type Change = ReturnType<TestHelve['storage']['workspace']>['change'];

test('attack: a new name of an agent does not take back the worker that another process gives it', async () => {
  helve = await createTestHelve();
  const { plane, admin, agent } = helve;
  beforeNextChange((change) =>
    change([], (tables) => tables.changeAgent(agent.id, { name: agent.name, worker: 'claude-agent' })),
  );
  await plane.changeAgent(admin, 'tester', { name: 'Tester' });
  const [changed] = await plane.agents(admin);
  expect(changed).toMatchObject({ name: 'Tester', worker: 'claude-agent' });
});

test('attack: an agent that a starting server takes over for its file is not changed any more', async () => {
  helve = await createTestHelve();
  const { plane, admin, agent } = helve;
  beforeNextChange((change) =>
    change([], (tables) => tables.changeAgent(agent.id, { name: agent.name, managedBy: 'file' })),
  );
  await expect(plane.changeAgent(admin, 'tester', { toolMode: 'meta' })).rejects.toMatchObject({ code: 'conflict' });
  expect((await plane.agents(admin))[0]?.toolMode ?? 'auto').toBe('auto');
});
