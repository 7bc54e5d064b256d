/** What people decide about an account while it is disconnected. */
import { expect, test, vi } from 'vitest';
import { vault } from '../../plane/acts/testing/vault-toolkit.js';
import { createTestHelve } from '../../testing/index.js';

test('R-visibility: an account that is made private and renamed while it is disconnected stays so', async () => {
  const helve = await createTestHelve({
    nativeToolkits: [],
    toolkits: [vault],
    connections: [{ toolkit: 'vault', name: 'One', credentials: { token: 'canary' } }],
  });
  const { plane, admin, storage } = helve;
  const { id } = await plane.connection(admin, 'one');
  const workspace = storage.workspace(admin.workspaceId);
  const spy = vi.spyOn(storage, 'workspace').mockReturnValue({
    ...workspace,
    secrets: {
      ...workspace.secrets,
      async find(subject) {
        // The account was read, and is not disconnected yet.
        spy.mockRestore();
        await plane.changeConnection(admin, id, { name: 'Mine', visibility: 'private' });
        return workspace.secrets.find(subject);
      },
    },
  });
  await plane.disconnect(admin, id);
  expect(await plane.connection(admin, id)).toMatchObject({ status: 'revoked', visibility: 'private', slug: 'mine' });
  await helve.close();
});
