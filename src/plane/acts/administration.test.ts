/** A change of an agent leaves what somebody else decides about it at the same moment. */
import { afterEach, expect, test } from 'vitest';
import { beforeNextChange } from '../../testing/before-next-change.js';
import { createTestHelve, type TestHelve } from '../../testing/index.js';

let helve: TestHelve;
afterEach(() => helve.close());

test('attack: a new name of an agent does not take back the worker that another process gives it', async () => {
  helve = await createTestHelve();
  const { plane, admin, agent } = helve;
  beforeNextChange(helve, (change) =>
    change([], (tables) => tables.changeAgent(agent.id, { name: agent.name, worker: 'claude-agent' })),
  );
  await plane.changeAgent(admin, 'tester', { name: 'Tester' });
  const [changed] = await plane.agents(admin);
  expect(changed).toMatchObject({ name: 'Tester', worker: 'claude-agent' });
});

test('attack: an agent that a starting server takes over for its file is no longer changed', async () => {
  helve = await createTestHelve();
  const { plane, admin, agent } = helve;
  beforeNextChange(helve, (change) =>
    change([], (tables) => tables.changeAgent(agent.id, { name: agent.name, managedBy: 'file' })),
  );
  await expect(plane.changeAgent(admin, 'tester', { toolMode: 'meta' })).rejects.toMatchObject({ code: 'conflict' });
  expect((await plane.agents(admin))[0]?.toolMode ?? 'auto').toBe('auto');
});
