/** Everything that no single workspace owns: workspaces, credentials by hash, instances, open intents. */
import type { Kysely } from 'kysely';
import { HelveError } from '../domain/errors.js';
import { openStatuses } from '../domain/run.js';
import { chainStart, type StoredRun, type SystemStorage } from '../domain/storage.js';
import { defined } from '../util/defined.js';
import { createActorDriver } from './actor-driver.js';
import { purgeAuthorizations, systemAuthorizations } from './authorizations.js';
import { decodeJson, encodeTime } from './codec.js';
import { drive, type Engine } from './engine.js';
import type { Journal } from './journal.js';
import { systemMcpSessions } from './mcp-sessions.js';
import { isMigrated, latestVersion } from './migrations/index.js';
import { toCredential, toIntent, toWorkspace } from './rows.js';
import type { Schema } from './schema.js';
import { systemSecrets } from './secrets.js';
import { measureStore } from './size.js';
import { findTaskSources } from './task-sources.js';
import { findSubscription } from './triggers.js';

export function createSystem(engine: Engine, journal: Journal): SystemStorage {
  const { db } = engine;
  return {
    isMigrated: () => isMigrated(db),
    async listWorkspaces() {
      const rows = await db.selectFrom('workspaces').selectAll().orderBy('created_at').orderBy('id').execute();
      return rows.map(toWorkspace);
    },
    async findWorkspace(idOrSlug) {
      const query = db.selectFrom('workspaces').selectAll();
      const rows = await query.where((is) => is.or([is('id', '=', idOrSlug), is('slug', '=', idOrSlug)])).execute();
      const row = rows.find((candidate) => candidate.id === idOrSlug) ?? rows[0];
      return row && toWorkspace(row);
    },
    createWorkspace: (workspace, events) =>
      db.transaction().execute(async (transaction) => {
        const { id, slug, name } = workspace;
        const created_at = encodeTime(workspace.createdAt);
        const counters = { revision: 1, policy_version: 1, audit_seq: 0, audit_hash: chainStart };
        const inserted = await transaction
          .insertInto('workspaces')
          .values({ id, slug, name, created_at, ...counters })
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirst();
        if (inserted.numInsertedOrUpdatedRows !== 1n) {
          const row = await transaction
            .selectFrom('workspaces')
            .selectAll()
            .where('slug', '=', slug)
            .executeTakeFirst();
          if (row) return { created: false, workspace: toWorkspace(row) };
          throw new HelveError('conflict', `A workspace with the id ${JSON.stringify(id)} exists under another name`);
        }
        const head = { workspaceId: id, revision: 1, policyVersion: 1, seq: 0, hash: chainStart };
        await drive(transaction, journal.append(head, events));
        return { created: true, workspace: { id, slug, name, createdAt: created_at } };
      }),
    async findCredential(hash) {
      const row = await db.selectFrom('credentials').selectAll().where('hash', '=', hash).executeTakeFirst();
      return row && { workspaceId: row.workspace_id, credential: toCredential(row) };
    },
    async useOnce(hash, expiresAt) {
      const row = { state_hash: hash, expires_at: encodeTime(expiresAt) };
      const insert = db
        .insertInto('finished_sign_ins')
        .values(row)
        .onConflict((conflict) => conflict.doNothing());
      return (await insert.executeTakeFirst()).numInsertedOrUpdatedRows === 1n;
    },
    async listIntents() {
      const rows = await db.selectFrom('intents').selectAll().orderBy('started_at').orderBy('execution_id').execute();
      return rows.map(toIntent);
    },
    async listStops(instanceId) {
      const rows = db
        .selectFrom('intents')
        .select(['workspace_id', 'execution_id'])
        .where('instance_id', '=', instanceId);
      return (await rows.where('stop_requested', '=', 1).execute()).map(({ workspace_id, execution_id }) => ({
        workspaceId: workspace_id,
        executionId: execution_id,
      }));
    },
    actors: createActorDriver(engine),
    mcpSessions: systemMcpSessions(db),
    ...instances(engine),
    ...systemSecrets(db),
    ...systemAuthorizations(db),
    findSubscription: (source, externalId) => findSubscription(db, source, externalId),
    findTaskSources: (provider, scopes) => findTaskSources(db, provider, scopes),
    async listOpenRuns() {
      const columns = ['workspace_id', 'id', 'status', 'owner', 'lease', 'waits', 'wake_at'] as const;
      const query = db.selectFrom('runs').select(columns).where('status', 'in', openStatuses);
      return (await query.execute()).map(({ workspace_id, id, status, owner, lease, waits, wake_at }) => ({
        workspaceId: workspace_id,
        id,
        status,
        lease: Number(lease),
        waits: decodeJson<StoredRun['waits']>(waits),
        ...defined({ owner: owner ?? undefined, wakeAt: wake_at ?? undefined }),
      }));
    },
    measure: () => measureStore(engine),
    purgeExpired: (now) => purgeExpired(db, encodeTime(now)),
  };
}

type Instances = 'touchInstance' | 'removeInstance' | 'listInstances';

function instances(engine: Engine): Pick<SystemStorage, Instances> {
  const { db } = engine;
  return {
    async touchInstance({ id, host, pid, startToken }) {
      const seen_at = encodeTime((await engine.now()).toISOString());
      const row = { host, pid, start_token: startToken, seen_at, schema_version: latestVersion };
      const updated = await db.updateTable('instances').set(row).where('id', '=', id).executeTakeFirst();
      if (updated.numUpdatedRows === 1n) return 'updated';
      const insert = db.insertInto('instances').values({ id, ...row });
      await insert.onConflict((conflict) => conflict.column('id').doUpdateSet(row)).execute();
      return 'added';
    },
    async removeInstance(instanceId, seenAt) {
      const rows = db.deleteFrom('instances').where('id', '=', instanceId);
      await (seenAt === undefined ? rows : rows.where('seen_at', '=', encodeTime(seenAt))).execute();
    },
    async listInstances() {
      const rows = await db.selectFrom('instances').selectAll().orderBy('id').execute();
      return rows.map(({ id, host, pid, start_token, seen_at }) => ({
        id,
        host,
        pid,
        startToken: start_token,
        seenAt: seen_at,
      }));
    },
  };
}

async function purgeExpired(db: Kysely<Schema>, now: string): Promise<number> {
  let gone = await purgeAuthorizations(db, now);
  for (const table of [
    'key_values',
    'results',
    'approvals',
    'oauth_flows',
    'trigger_events',
    'runs',
    'actor_inbox',
    'finished_sign_ins',
    'mcp_sessions',
    'mcp_messages',
  ] as const) {
    const result = await db.deleteFrom(table).where('expires_at', '<=', now).executeTakeFirst();
    gone += result.numDeletedRows;
  }
  return Number(gone);
}
