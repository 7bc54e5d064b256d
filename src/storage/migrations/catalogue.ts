/**
 * Version 5: the catalogue, which belongs to the installation, its synchronisation jobs, and workspaces' subscriptions.
 */
import { type Kysely, sql } from 'kysely';
import type { DatabaseKind } from '../engine.js';
import type { Schema } from '../schema.js';

export async function up(db: Kysely<Schema>, kind: DatabaseKind): Promise<void> {
  const text = kind === 'postgres' ? 'text collate "C"' : 'text';
  const tenant = `workspace_id ${text} not null references workspaces (id)`;
  for (const statement of [
    `create table catalogue_sources (source ${text} primary key, revision bigint not null, apps integer not null,
      actions integer not null, triggers integer not null, without_parameters integer not null)`,
    `create table catalogue_apps (source ${text} not null, slug ${text} not null, position integer not null,
      name ${text} not null, description ${text} not null, logo ${text}, url ${text}, categories ${text} not null,
      auth_schemes ${text} not null, managed_auth_schemes ${text} not null, no_auth integer not null,
      deprecated integer not null, version ${text}, updated_at ${text}, action_count integer not null,
      trigger_count integer not null, hash ${text} not null, backfilled ${text}, job ${text} not null,
      primary key (source, slug))`,
    `create table catalogue_actions (source ${text} not null, slug ${text} not null, app ${text} not null,
      title ${text} not null, description ${text} not null, tags ${text} not null, scopes ${text} not null,
      version ${text}, deprecated integer not null, no_auth integer not null, input_parameters ${text},
      output_parameters ${text}, job ${text} not null, primary key (source, slug))`,
    'create index catalogue_actions_app on catalogue_actions (source, app)',
    `create table catalogue_triggers (source ${text} not null, slug ${text} not null, app ${text} not null,
      name ${text} not null, description ${text} not null, instructions ${text}, type ${text} not null,
      config ${text} not null, payload ${text} not null, job ${text} not null, primary key (source, slug))`,
    'create index catalogue_triggers_app on catalogue_triggers (source, app)',
    `create table sync_jobs (id ${text} primary key, source ${text} not null, kind ${text} not null,
      status ${text} not null, phase ${text} not null, counts ${text} not null, done integer not null, total integer,
      cursor ${text} not null, started_at ${text} not null, updated_at ${text} not null,
      finished_at ${text}, error ${text}, holder ${text} not null, lease_until ${text} not null)`,
    "create unique index sync_jobs_one on sync_jobs (source) where status = 'running'",
    'create index sync_jobs_started on sync_jobs (started_at)',
    `create table trigger_subscriptions (${tenant}, id ${text} not null, source ${text} not null,
      trigger_slug ${text} not null, app ${text} not null, connection_id ${text} not null, external_id ${text} not null,
      config ${text} not null, created_at ${text} not null, primary key (workspace_id, id))`,
    'create index trigger_subscriptions_external on trigger_subscriptions (external_id)',
    `create table trigger_events (${tenant}, subscription_id ${text} not null, id ${text} not null,
      trigger_slug ${text} not null, app ${text} not null, at ${text} not null, payload ${text} not null,
      received_at ${text} not null, expires_at ${text} not null, primary key (workspace_id, subscription_id, id))`,
    'create index trigger_events_expiry on trigger_events (expires_at)',
    'create index trigger_events_received on trigger_events (workspace_id, received_at)',
  ]) {
    await sql.raw(statement).execute(db);
  }
}
