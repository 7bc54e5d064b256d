/** What authorisation depends on is written only inside `change`. */
import { v7 as uuidv7 } from 'uuid';
import { HelveError } from '../domain/errors.js';
import type { GrantInput } from '../domain/grant.js';
import type { PrincipalRef } from '../domain/principal.js';
import type { ConfigurationTables } from '../domain/storage.js';
import { createAuthorizationChanges } from './authorizations.js';
import { chunks } from './chunks.js';
import { decodeJson, encodeTime } from './codec.js';
import type { NotedScope } from './configuration-changes.js';
import { createConnectionTables } from './connections.js';
import { createCredentialTables } from './credentials.js';
import { createNotificationChanges } from './notifications.js';
import { replacePolicies } from './policies.js';
import { createGrantReader, fromAgent, fromGrant, fromToolkitSetting, fromUser } from './rows.js';
import type { Scope } from './scope.js';
import { createTaskSourceChanges } from './task-sources.js';

/** The tables that `work` gets; `policiesReplaced` tells the change to increase the policy version. */
export function createConfigurationTables(noted: NotedScope): {
  tables: ConfigurationTables;
  policiesReplaced: () => boolean;
} {
  const { scope, only } = noted;
  let replaced = false;
  const authorizations = createAuthorizationChanges(scope);
  const tables: ConfigurationTables = {
    async insertAgent(agent) {
      const insert = only('agents', agent.id)
        .insertInto('agents', fromAgent(agent))
        .onConflict((conflict) => conflict.doNothing());
      const result = await insert.executeTakeFirst();
      if (result.numInsertedOrUpdatedRows === 1n) return;
      throw new HelveError('conflict', `There is already an agent ${JSON.stringify(agent.slug)}`, {
        hint: 'Choose another name.',
      });
    },
    async changeAgent(agentId, { name, toolMode = 'auto', worker = 'helve', managedBy }) {
      const by = managedBy === undefined ? {} : { managed_by: managedBy };
      const agent = only('agents', agentId)
        .updateTable('agents')
        .set({ name, tool_mode: toolMode, worker, ...by })
        .where('id', '=', agentId);
      if ((await agent.executeTakeFirst()).numUpdatedRows !== 1n) missingAgent(agentId);
    },
    async deleteAgent(agentId) {
      const mine = scope.deleteFrom('credentials').where('principal_id', '=', agentId);
      await mine.where('kind', 'in', ['agent_token', 'refresh_token']).execute();
      // Its grants go with it.
      only('grants', agentId);
      const result = await only('agents', agentId).deleteFrom('agents').where('id', '=', agentId).executeTakeFirst();
      if (result.numDeletedRows !== 1n) missingAgent(agentId);
    },
    endAgentAccess: (agentId, at) => endAgentAccess(scope, agentId, encodeTime(at)),
    async insertUser(user) {
      await scope.insertInto('users', fromUser(user)).execute();
    },
    async changeUser(user) {
      const { id, ...facts } = fromUser(user);
      const result = await scope.updateTable('users').set(facts).where('id', '=', id).executeTakeFirst();
      if (result.numUpdatedRows !== 1n) missingUser(id);
      await requireAdmin(scope);
    },
    async insertIdentity({ issuer, subject }, userId, at) {
      const row = { issuer, subject, user_id: userId, created_at: encodeTime(at) };
      const insert = scope.insertInto('identities', row).onConflict((conflict) => conflict.doNothing());
      if ((await insert.executeTakeFirst()).numInsertedOrUpdatedRows === 1n) return;
      throw new HelveError('conflict', 'Somebody already signs in with this identity');
    },
    async deleteUser(id) {
      await scope.deleteFrom('notification_choices').where('user_id', '=', id).execute();
      const result = await scope.deleteFrom('users').where('id', '=', id).executeTakeFirst();
      if (result.numDeletedRows !== 1n) missingUser(id);
      await requireAdmin(scope);
    },
    async endUserPrograms(id, at) {
      const open = scope.selectFrom('authorizations').select(['id', 'person']).where('status', '<>', 'ended');
      for (const one of await open.execute())
        if (decodeJson<PrincipalRef>(one.person).id === id) await authorizations.endAuthorization(one.id, at);
    },
    async endUserAccess(id, at) {
      await tables.endUserPrograms(id, at);
      const mine = scope
        .updateTable('credentials')
        .set({ revoked_at: encodeTime(at) })
        .where('principal_id', '=', id);
      const live = mine.where('kind', 'in', ['session', 'admin_link']).where('revoked_at', 'is', null);
      return (await live.returning('id').execute()).map((row) => row.id);
    },
    replaceGrants: (agentId, grants) => replaceGrants(only('grants', agentId), agentId, grants),
    async replacePolicies(policies) {
      replaced = true;
      await replacePolicies(noted, policies);
    },
    ...createConnectionTables(noted),
    ...createTaskSourceChanges(scope),
    ...createNotificationChanges(scope),
    ...authorizations,
    ...createCredentialTables(scope, authorizations),
    putToolkitSetting: (setting) => scope.upsert('toolkit_settings', ['toolkit'], fromToolkitSetting(setting)),
  };
  return { tables, policiesReplaced: () => replaced };
}

/** Throws `conflict`, so that the change is undone. */
async function requireAdmin(scope: Scope): Promise<void> {
  const admins = scope.selectFrom('users').select('id').where('role', '=', 'admin').where('status', '=', 'active');
  if (await admins.executeTakeFirst()) return;
  throw new HelveError('conflict', 'This is the last active admin of the workspace', {
    hint: 'Make somebody else an admin first, and let them sign in.',
  });
}

function missingUser(id: string): never {
  throw new HelveError('not_found', `There is no person ${JSON.stringify(id.slice(0, 100))}`, {
    hint: 'List the people for their ids.',
  });
}

async function endAgentAccess(scope: Scope, agentId: string, at: string) {
  const open = scope.updateTable('authorizations').set({ status: 'ended' }).where('agent_id', '=', agentId);
  const authorizations = await open.where('status', '<>', 'ended').returning('id').execute();
  const mine = scope.updateTable('credentials').set({ revoked_at: at }).where('principal_id', '=', agentId);
  const tokens = mine.where('kind', 'in', ['agent_token', 'refresh_token']).where('revoked_at', 'is', null);
  const credentials = await tokens.returning('id').execute();
  return { authorizations: authorizations.map(({ id }) => id), credentials: credentials.map(({ id }) => id) };
}

async function replaceGrants(scope: Scope, agentId: string, inputs: readonly GrantInput[]) {
  const agent = await scope.selectFrom('agents').select('id').where('id', '=', agentId).executeTakeFirst();
  if (agent === undefined) missingAgent(agentId);
  await scope.deleteFrom('grants').where('agent_id', '=', agentId).execute();
  const rows = inputs.map((input, position) => fromGrant({ ...input, id: uuidv7(), agentId }, position));
  for (const chunk of chunks(rows)) await scope.insertInto('grants', chunk).execute();
  return rows.map(createGrantReader());
}

function missingAgent(agentId: string): never {
  throw new HelveError('not_found', `There is no agent ${JSON.stringify(agentId)}`);
}
