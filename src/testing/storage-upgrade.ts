/** For the storage tests: a store as an earlier version left it, opened by this one. */
import { expect } from 'vitest';
import type { Authorization } from '../domain/authorization.js';
import { allPermissions } from '../domain/principal.js';
import type { Storage } from '../domain/storage.js';
import { draft, time, workspace } from './storage-fixtures.js';

const authorization: Authorization = {
  id: 'a',
  workspaceId: 'w',
  status: 'asked',
  clientId: 'c',
  clientName: 'Program',
  redirectUri: 'https://app.example/cb',
  agentId: 'agent',
  user: { kind: 'user', id: 'u', name: 'Ada' },
  resource: 'https://helve.example/mcp/agent',
  scopes: ['tools:read'],
  challenge: 'x',
  secretHash: 'first',
  createdAt: time(1),
  expiresAt: time(2),
};

/**
 * Removes what the versions after 9 have added, and opens the store again: existing data is unchanged, and new features work.
 * `query` runs one statement on the tables, whose names `table` completes.
 */
export async function upgradeFromBefore(
  open: () => Promise<Storage>,
  query: (statement: string) => Promise<unknown>,
  table: (name: string) => string,
): Promise<void> {
  const before = await open();
  await before.system.createWorkspace(workspace('w'), [draft()]);
  const secret = { sealed: 'sealed', keyId: 'k' };
  const user = { id: 'u', name: 'Ada', role: 'admin', status: 'active', createdAt: time(1) } as const;
  const key = { id: 'k', kind: 'api_key', principalId: 'k', name: 'k', prefix: 'p', createdAt: time(1) } as const;
  const full = allPermissions.filter((permission) => !permission.startsWith('users:'));
  await before.workspace('w').change([], async (tables) => {
    await tables.putSecret('s', secret, time(1));
    await tables.insertAgent({ id: 'agent', slug: 'agent', name: 'Agent', createdAt: time(1), managedBy: 'api' });
    await tables.insertUser(user);
    await tables.insertCredential({ ...key, hash: 'h', permissions: full });
    await tables.insertCredential({ ...key, id: 'small', hash: 'g', permissions: ['tools:read'] });
  });
  await before.workspace('w').authorizations.insert(authorization);
  await before.close();
  for (const column of ['retry_since', 'retry_failures'])
    await query(`alter table ${table('secrets')} drop column ${column}`);
  for (const column of ['email', 'status']) await query(`alter table ${table('users')} drop column ${column}`);
  await query(`alter table ${table('credentials')} drop column role`);
  await query(`alter table ${table('agents')} drop column worker`);
  await query(`drop index ${table('approvals_status')}`);
  await query(`alter table ${table('approvals')} drop column note`);
  await query(`alter table ${table('intents')} drop column stop_requested`);
  for (const added of [
    'configuration_changes',
    'notification_told',
    'notification_messages',
    'notification_choices',
    'notification_channels',
    'mcp_messages',
    'mcp_sessions',
    'record_archives',
    'recipes',
    'task_sources',
    'tool_configs',
    'issue_comments',
    'issues',
    'actor_driver',
    'actor_executions',
    'actor_work',
    'actor_inbox',
    'actors',
    'identities',
    'finished_sign_ins',
    'audit_blocks',
    'call_blocks',
    'learned_types',
    'plan_uses',
    'run_steps',
    'runs',
  ])
    await query(`drop table ${table(added)}`);
  await query(`drop table if exists ${table('shared_counts')}`);
  await query(`delete from ${table('helve_schema')} where version > 9`);
  // As a failed renewal left it, without a time.
  await query(`update ${table('secrets')} set retry_at = '${time(9)}'`);

  const after = await open();
  const { secrets } = after.workspace('w');
  expect(await secrets.find('s')).toEqual({ ...secret, version: 1 });
  await secrets.lock('s', { holder: 'h', now: time(1), until: time(5), dead: [] });
  const pause = { since: time(1), until: time(2), failures: 1 };
  await secrets.unlock('s', 'h', pause);
  expect(await secrets.find('s')).toMatchObject({ pause });
  expect(await after.workspace('w').findUser('u')).toEqual(user);
  const { authorizations } = after.workspace('w');
  expect(await authorizations.find('a')).toEqual(authorization);
  const { agentId: _, ...asPerson } = { ...authorization, id: 'b', secretHash: 'second' };
  await authorizations.insert(asPerson);
  expect(await authorizations.find('b')).toEqual(asPerson);
  const keys = await after.workspace('w').listCredentials();
  expect(keys.map(({ permissions }) => permissions)).toEqual([allPermissions, ['tools:read']]);
  expect(await after.workspace('w').learnedTypes.list('math')).toEqual([]);
  expect(await after.workspace('w').callBlocks.newest()).toBeUndefined();
  expect(await after.workspace('w').intents.list()).toEqual([]);
  expect(await after.workspace('w').actors.list({})).toEqual({ actors: [] });
  expect(await after.workspace('w').issues.find('i')).toBeUndefined();
  expect(await after.workspace('w').taskSources.list()).toEqual([]);
  expect(await after.workspace('w').recipes.list()).toEqual([]);
  expect(await after.workspace('w').recordArchives.list()).toEqual([]);
  expect(await after.workspace('w').notifications.listChannels()).toEqual([]);
  await after.close();
}
