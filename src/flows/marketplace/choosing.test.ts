/** To start or stop using an app leaves what else is decided about it at the same moment. */
import { afterEach, expect, test } from 'vitest';
import { beforeNextChange } from '../../testing/before-next-change.js';
import { createTestHelve, type TestHelve } from '../../testing/index.js';

let helve: TestHelve;
afterEach(() => helve.close());

test('attack: tools that are taken away while somebody starts to use their app stay taken away', async () => {
  helve = await createTestHelve();
  const { plane, admin, workspaceId } = helve;
  beforeNextChange(helve, () => plane.enableTools(admin, 'math', { enabled: true, enabledTools: [] }));
  await plane.useToolkit(admin, 'math', true);
  const { toolkits } = await helve.storage.workspace(workspaceId).configuration();
  expect(toolkits).toEqual([{ toolkit: 'math', enabled: true, enabledTools: [] }]);
});
