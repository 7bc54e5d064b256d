/**
 * Version 29: PostgreSQL adds rows to the chain by itself, so that its lock is not held while a process is answered. The
 * text that is hashed is the one of `sealedText` (`domain/chain.ts`). SQLite needs nothing: it has one writer.
 *
 * Returns the revision of the workspace's configuration, or null if there is no such workspace. Rows that expect another
 * revision are not added.
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

export async function up(db: Kysely<Schema>, kind: DatabaseKind): Promise<void> {
  if (kind === 'postgres') await sql.raw(appendToRecord).execute(db);
}
