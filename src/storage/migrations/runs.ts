/** Version 13: programs of code mode, the ledger of their steps, and which effects of a plan have been made. */
import { type Kysely, sql } from 'kysely';
import type { DatabaseKind } from '../engine.js';
import type { Schema } from '../schema.js';

export async function up(db: Kysely<Schema>, kind: DatabaseKind): Promise<void> {
  const text = kind === 'postgres' ? 'text collate "C"' : 'text';
  const workspace = `workspace_id ${text} not null references workspaces (id)`;
  const statements = [
    `create table runs (${workspace}, id ${text} not null, principal_id ${text} not null, principal ${text} not null,
      mode ${text} not null, status ${text} not null, code ${text} not null, tools ${text} not null,
      declarations ${text} not null, replay_version bigint not null, policy_version bigint not null, seed bigint not null,
      limits ${text} not null, intent ${text}, idempotency_key ${text}, plan ${text}, planned ${text}, owner ${text},
      lease bigint not null, waits ${text} not null, wake_at ${text}, value ${text}, logs ${text} not null, error ${text},
      issues ${text}, started_at ${text} not null, finished_at ${text}, expires_at ${text}, primary key (workspace_id, id))`,
    'create unique index runs_by_key on runs (workspace_id, principal_id, idempotency_key) where idempotency_key is not null',
    'create index runs_by_status on runs (status)',
    'create index runs_by_expiry on runs (expires_at)',
    `create table run_steps (${workspace}, run_id ${text} not null, kind ${text} not null, number bigint not null,
      tool ${text} not null, input_hash ${text} not null, execution_id ${text} not null, attempts bigint not null,
      started_at ${text} not null, answer ${text}, position bigint, answered_at ${text}, cleared bigint not null, planned bigint,
      primary key (workspace_id, run_id, kind, number),
      foreign key (workspace_id, run_id) references runs (workspace_id, id) on delete cascade)`,
    `create table plan_uses (${workspace}, run_id ${text} not null, number bigint not null, execution_id ${text} not null,
      primary key (workspace_id, run_id, number),
      foreign key (workspace_id, run_id) references runs (workspace_id, id) on delete cascade)`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
