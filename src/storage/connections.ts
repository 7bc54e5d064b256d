/** Writes accounts, OAuth clients and pinned definitions, inside a configuration change. */
import { HelveError } from '../domain/errors.js';
import type { ConfigurationTables, OAuthFlow } from '../domain/storage.js';
import type { NotedScope } from './configuration-changes.js';
import { fromAuthConfig, fromConnection, fromPin, toFlow } from './connection-rows.js';
import type { Scope } from './scope.js';
import { putSecret } from './secrets.js';

type ConnectionTables = Pick<
  ConfigurationTables,
  | 'insertConnection'
  | 'updateConnection'
  | 'revokeConnection'
  | 'deleteConnection'
  | 'putSecret'
  | 'deleteSecret'
  | 'putAuthConfig'
  | 'deleteAuthConfig'
  | 'putPins'
>;

export function createConnectionTables({ scope, only }: NotedScope): ConnectionTables {
  /** The source deletes its own side with the account. */
  async function deleteSubscriptions(connectionId: string): Promise<void> {
    await scope.deleteFrom('trigger_subscriptions').where('connection_id', '=', connectionId).execute();
  }

  async function deleteSecret(subject: string): Promise<void> {
    await scope.deleteFrom('secrets').where('subject', '=', subject).execute();
  }

  /** Deletes sign-ins that have begun, so that none of them is finished after the end was announced. */
  async function deleteFlows(connectionId: string): Promise<readonly OAuthFlow[]> {
    const rows = await scope
      .deleteFrom('oauth_flows')
      .where('connection_id', '=', connectionId)
      .returningAll()
      .execute();
    return rows.map(toFlow);
  }

  return {
    async insertConnection(connection) {
      await refuseTakenSlug(scope, connection.slug, connection.id);
      await only('connections', connection.id).insertInto('connections', fromConnection(connection)).execute();
    },
    async updateConnection(connection) {
      await refuseTakenSlug(scope, connection.slug, connection.id);
      const query = only('connections', connection.id).updateTable('connections').set(fromConnection(connection));
      const result = await query.where('id', '=', connection.id).executeTakeFirst();
      if (result.numUpdatedRows !== 1n) missingConnection(connection.id);
      if (connection.status === 'revoked') await deleteSubscriptions(connection.id);
    },
    async revokeConnection(id, reason) {
      const query = only('connections', id).updateTable('connections').set({ status: 'revoked', reason, scopes: null });
      const result = await query.where('id', '=', id).executeTakeFirst();
      if (result.numUpdatedRows !== 1n) missingConnection(id);
      await deleteSubscriptions(id);
      return deleteFlows(id);
    },
    async deleteConnection(id) {
      await deleteSubscriptions(id);
      const mine = await scope.selectFrom('grants').select('agent_id').where('connection_id', '=', id).execute();
      for (const { agent_id: agentId } of mine)
        await only('grants', agentId)
          .deleteFrom('grants')
          .where('connection_id', '=', id)
          .where('agent_id', '=', agentId)
          .execute();
      await deleteFlows(id);
      await deleteSecret(`connection:${id}`);
      const result = await only('connections', id).deleteFrom('connections').where('id', '=', id).executeTakeFirst();
      if (result.numDeletedRows !== 1n) missingConnection(id);
    },
    putSecret: (subject, content, at) => putSecret(scope, subject, content, at),
    deleteSecret,
    putAuthConfig: (config) => scope.upsert('auth_configs', ['provider'], fromAuthConfig(config)),
    async deleteAuthConfig(provider) {
      await deleteSecret(`auth_config:${provider}`);
      const result = await scope.deleteFrom('auth_configs').where('provider', '=', provider).executeTakeFirst();
      return result.numDeletedRows === 1n;
    },
    async putPins(pins) {
      for (const pin of pins) await scope.upsert('definition_pins', ['toolkit', 'tool'], fromPin(pin));
    },
  };
}

/**
 * Checked in advance, not detected from the failure: a failed statement would end the whole transaction. The workspace
 * is locked.
 */
async function refuseTakenSlug(scope: Scope, slug: string, id: string): Promise<void> {
  const other = scope.selectFrom('connections').select('id').where('slug', '=', slug).where('id', '<>', id);
  if (await other.executeTakeFirst())
    throw new HelveError('conflict', `Another connection has the name ${JSON.stringify(slug)}`);
}

function missingConnection(id: string): never {
  throw new HelveError('not_found', `There is no connection ${JSON.stringify(id)}`);
}
