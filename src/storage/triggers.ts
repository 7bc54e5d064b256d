/** Subscriptions to events in apps, and the events that they received, each stored once. */
import type { Kysely } from 'kysely';
import type { CatalogueSourceName } from '../domain/catalogue.js';
import type { ReceivedEvent, TriggerSubscription } from '../domain/marketplace.js';
import type { TriggerTable } from '../domain/storage.js';
import type { TriggerEventRow, TriggerSubscriptionRow } from './catalogue-schema.js';
import { decodeJson, encodeTime } from './codec.js';
import type { Schema } from './schema.js';
import type { Scope } from './scope.js';

export function createTriggers(scope: Scope): TriggerTable {
  return {
    async insert({ id, source, trigger, app, connectionId, externalId, config, createdAt }) {
      const result = await scope
        .insertInto('trigger_subscriptions', {
          id,
          source,
          trigger_slug: trigger,
          app,
          connection_id: connectionId,
          external_id: externalId,
          config: JSON.stringify(config),
          created_at: encodeTime(createdAt),
        })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      return result.numInsertedOrUpdatedRows === 1n;
    },
    async list() {
      const rows = scope.selectFrom('trigger_subscriptions').selectAll().orderBy('created_at').orderBy('id');
      return (await rows.execute()).map(toSubscription);
    },
    async delete(id) {
      const result = await scope.deleteFrom('trigger_subscriptions').where('id', '=', id).executeTakeFirst();
      return result.numDeletedRows === 1n;
    },
    async receive({ id, subscriptionId, connectionId = null, trigger, app, at, payload, receivedAt }, expiresAt) {
      const result = await scope
        .insertInto('trigger_events', {
          id,
          subscription_id: subscriptionId,
          trigger_slug: trigger,
          app,
          payload: JSON.stringify(payload),
          connection_id: connectionId,
          at: encodeTime(at),
          received_at: encodeTime(receivedAt),
          expires_at: encodeTime(expiresAt),
        })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      return result.numInsertedOrUpdatedRows === 1n;
    },
    async events({ subscription, before, limit, connections }) {
      if (connections?.length === 0) return [];
      let query = scope.selectFrom('trigger_events').selectAll();
      for (const column of ['received_at', 'id', 'subscription_id'] as const) query = query.orderBy(column, 'desc');
      if (before !== undefined) {
        const { id, subscriptionId } = before;
        const receivedAt = encodeTime(before.receivedAt);
        query = query.where(({ eb, and, or }) => {
          const earlier = eb('received_at', '<', receivedAt);
          const sameTime = eb('received_at', '=', receivedAt);
          const ofSameId = and([eb('id', '=', id), eb('subscription_id', '<', subscriptionId)]);
          return or([earlier, and([sameTime, or([eb('id', '<', id), ofSameId])])]);
        });
      }
      if (subscription !== undefined) query = query.where('subscription_id', '=', subscription);
      if (connections) query = query.where('connection_id', 'in', connections);
      return (await query.limit(limit).execute()).map(toEvent);
    },
  };
}

export async function findSubscription(db: Kysely<Schema>, source: CatalogueSourceName, externalId: string) {
  const query = db.selectFrom('trigger_subscriptions').selectAll().where('external_id', '=', externalId);
  const row = await query.where('source', '=', source).executeTakeFirst();
  return row && { workspaceId: row.workspace_id, subscription: toSubscription(row) };
}

function toSubscription(row: Omit<TriggerSubscriptionRow, 'workspace_id'>): TriggerSubscription {
  return {
    id: row.id,
    source: row.source,
    trigger: row.trigger_slug,
    app: row.app,
    connectionId: row.connection_id,
    externalId: row.external_id,
    config: decodeJson(row.config),
    createdAt: row.created_at,
  };
}

function toEvent(row: Omit<TriggerEventRow, 'workspace_id'>): ReceivedEvent {
  return {
    id: row.id,
    subscriptionId: row.subscription_id,
    trigger: row.trigger_slug,
    app: row.app,
    at: row.at,
    ...(row.connection_id === null ? {} : { connectionId: row.connection_id }),
    payload: decodeJson(row.payload),
    receivedAt: row.received_at,
  };
}
