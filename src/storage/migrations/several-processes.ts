/**
 * Version 29: what several processes on one PostgreSQL need. SQLite needs nothing of it: it has one writer.
 *
 * - `append_to_record` adds rows to the chain, so that its lock is not held while a process is answered. The text that is
 *   hashed is the one of `sealedText` (`domain/chain.ts`).
 * - `shared_counts` is how often something was done in its present period. It is not logged: after a crash of the server
 *   counts begin again, and no commit waits for the disk.
 *
 * `append_to_record` returns the revision of the workspace's configuration, or null if there is no such workspace. Rows
 * that expect another revision are not added.
 */
import { type Kysely, sql } from 'kysely';
import type { DatabaseKind } from '../engine.js';
import type { Schema } from '../schema.js';

const appendToRecord = `create or replace function append_to_record(workspace text, workspace_json text, rows json)
returns bigint language plpgsql as $$
declare
  head record;
  item record;
  place bigint;
  link text;
begin
  select revision, audit_seq, audit_hash into head from workspaces where id = workspace for update;
  if not found then
    return null;
  end if;
  place := head.audit_seq;
  link := head.audit_hash;
  for item in select * from json_to_recordset(rows) as row_of_record (expected bigint, at text, type text,
    execution_id text, tool text, actor_kind text, actor_id text, actor_name text, on_behalf_of text, subject text,
    body text) loop
    continue when item.expected <> head.revision;
    place := place + 1;
    link := encode(sha256(convert_to('["' || link || '",' || workspace_json || ',' || place || ',' || item.subject
      || ',' || item.body || ']', 'UTF8')), 'hex');
    insert into audit_events (workspace_id, seq, at, type, execution_id, tool, actor_kind, actor_id, actor_name,
      on_behalf_of, body, hash)
    values (workspace, place, item.at, item.type, item.execution_id, item.tool, item.actor_kind, item.actor_id,
      item.actor_name, item.on_behalf_of, item.body, link);
  end loop;
  update workspaces set audit_seq = place, audit_hash = link where id = workspace and audit_seq < place;
  return head.revision;
end $$`;

const sharedCounts = `create unlogged table shared_counts (key text collate "C" primary key, used bigint not null,
  granted bigint not null, ends_at timestamptz not null)`;

export async function up(db: Kysely<Schema>, kind: DatabaseKind): Promise<void> {
  if (kind !== 'postgres') return;
  await sql.raw(appendToRecord).execute(db);
  await sql.raw(sharedCounts).execute(db);
}
