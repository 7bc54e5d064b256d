/** To start or stop using an app leaves what else is decided about it at the same moment. */
import { afterEach, expect, test } from 'vitest';
import { createTestHelve, type TestHelve } from '../../testing/index.js';

let helve: TestHelve;
afterEach(() => helve.close());

test('attack: tools that are taken away while somebody starts to use their app stay taken away', async () => {
  helve = await createTestHelve();
  const { plane, admin, workspaceId } = helve;
  const storage = helve.storage as { workspace: TestHelve['storage']['workspace'] };
  const { workspace } = storage;
  storage.workspace = (id) => {
    const found = workspace(id);
    const change: typeof found.change = async (...given) => {
      storage.workspace = workspace;
      await plane.enableTools(admin, 'math', { enabled: true, enabledTools: [] });
      return found.change(...given);
    };
    return { ...found, change };
  };
  await plane.useToolkit(admin, 'math', true);
  const { toolkits } = await helve.storage.workspace(workspaceId).configuration();
  expect(toolkits).toEqual([{ toolkit: 'math', enabled: true, enabledTools: [] }]);
});
