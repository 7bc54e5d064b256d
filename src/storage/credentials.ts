/** Credentials: one that was created from an API key lives no longer than that key. */
import type { AuthorizationChanges } from '../domain/authorization.js';
import { HelveError } from '../domain/errors.js';
import type { Credential } from '../domain/principal.js';
import type { ConfigurationTables, WorkspaceStorage } from '../domain/storage.js';
import { encodeTime } from './codec.js';
import { fromCredential, toCredential } from './rows.js';
import type { Scope } from './scope.js';

type CredentialTables = Pick<ConfigurationTables, 'insertCredential' | 'revokeCredential'>;

export function createCredentials(
  scope: Scope,
): Pick<WorkspaceStorage, 'listCredentials' | 'findCredential' | 'takeCredential' | 'noteUse'> {
  return {
    async listCredentials() {
      const rows = await scope.selectFrom('credentials').selectAll().orderBy('created_at').orderBy('id').execute();
      return rows.map(toCredential);
    },
    async findCredential(id) {
      const row = await scope.selectFrom('credentials').selectAll().where('id', '=', id).executeTakeFirst();
      return row && toCredential(row);
    },
    async takeCredential(id, now) {
      const at = encodeTime(now);
      const query = scope.updateTable('credentials').set({ revoked_at: at }).where('id', '=', id);
      const live = query.where('revoked_at', 'is', null);
      const result = await live
        .where((is) => is.or([is('expires_at', 'is', null), is('expires_at', '>', at)]))
        .executeTakeFirst();
      return result.numUpdatedRows === 1n;
    },
    async noteUse(id, at) {
      const session = scope.updateTable('credentials').set({ last_used_at: encodeTime(at) });
      await session.where('id', '=', id).execute();
    },
  };
}

/** For use inside a configuration change. */
export function createCredentialTables(scope: Scope, authorizations: AuthorizationChanges): CredentialTables {
  return {
    async insertCredential(credential) {
      // Checked in the commit that inserts: a key that is being revoked at the same time leaves no credential behind.
      if (credential.parentId !== undefined) await requireLive(scope, credential.parentId, credential);
      await scope.insertInto('credentials', fromCredential(credential)).execute();
    },
    async revokeCredential(credentialId, at) {
      const query = scope.updateTable('credentials').set({ revoked_at: encodeTime(at) });
      const live = query.where('id', '=', credentialId).where('revoked_at', 'is', null);
      const revoked = await live.returning('authorization_id').executeTakeFirst();
      if (revoked?.authorization_id) await authorizations.endAuthorization(revoked.authorization_id, at);
      if (revoked) await revokeDescendants(scope, authorizations, credentialId, at);
      return revoked !== undefined;
    },
  };
}

async function requireLive(scope: Scope, id: string, { createdAt }: Credential): Promise<void> {
  const query = scope.selectFrom('credentials').select(['revoked_at', 'expires_at']).where('id', '=', id);
  const parent = await query.executeTakeFirst();
  const over = parent?.expires_at != null && parent.expires_at <= encodeTime(createdAt);
  if (parent && parent.revoked_at === null && !over) return;
  throw new HelveError('unauthenticated', 'The API key that this was created from has been revoked or has expired', {
    hint: 'Use a valid key, or sign in again.',
  });
}

/** Level by level: only live credentials can have live descendants, since revoking one revokes its descendants. */
async function revokeDescendants(
  scope: Scope,
  authorizations: AuthorizationChanges,
  ancestor: string,
  at: string,
): Promise<void> {
  let parents = [ancestor];
  while (parents.length > 0) {
    const open = scope.selectFrom('authorizations').select('id').where('parent_id', 'in', parents);
    for (const { id } of await open.where('status', '<>', 'ended').execute())
      await authorizations.endAuthorization(id, at);
    const children = scope
      .updateTable('credentials')
      .set({ revoked_at: encodeTime(at) })
      .where('parent_id', 'in', parents)
      .where('revoked_at', 'is', null);
    parents = (await children.returning('id').execute()).map(({ id }) => id);
  }
}
