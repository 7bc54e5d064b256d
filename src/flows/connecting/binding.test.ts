/** With which account a server is asked for its tools. */
import { expect, test } from 'vitest';
import type { AccountParts } from './account-parts.js';
import { anyAccount } from './index.js';

test('R-visibility: a server is asked for its tools only with its own account, of that workspace, in use and not private', async () => {
  const account = { id: 'c1', toolkit: 'notes', status: 'active', visibility: 'workspace' };
  const using = async (workspaceId: string | undefined, ...connections: object[]) => {
    const configurations = {
      // Another process may have made it private.
      get: async () => ({ connections: [account] }),
      getFresh: async (id: string) => ({ connections: id === 'home' ? connections : expect.unreachable() }),
    };
    return (await anyAccount({ configurations } as unknown as AccountParts, 'notes', workspaceId))?.connection.facts;
  };
  expect(await using('home', account)).toBe(account);
  expect(await using(undefined, account)).toBeUndefined();
  for (const other of [{ toolkit: 'mail' }, { status: 'error' }, { visibility: 'private' }])
    expect(await using('home', { ...account, ...other })).toBeUndefined();
});
