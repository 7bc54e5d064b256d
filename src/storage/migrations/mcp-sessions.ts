/** Version 31: sessions of MCP up to 2025-11-25, so that every process can serve them, and the messages between processes. */
import { type Kysely, sql } from 'kysely';
import type { DatabaseKind } from '../engine.js';
import type { Schema } from '../schema.js';

export async function up(db: Kysely<Schema>, kind: DatabaseKind): Promise<void> {
  const text = kind === 'postgres' ? 'text collate "C"' : 'text';
  const number = kind === 'postgres' ? 'bigserial primary key' : 'integer primary key autoincrement';
  for (const statement of [
    `create table mcp_sessions (workspace_id ${text} not null references workspaces (id), id ${text} not null unique,
      owner ${text} not null, credential_id ${text}, hello ${text} not null, wishes ${text} not null,
      used_at ${text} not null, expires_at ${text} not null, primary key (workspace_id, id))`,
    'create index mcp_sessions_owner on mcp_sessions (workspace_id, owner, used_at)',
    `create table mcp_messages (number ${number}, workspace_id ${text} not null references workspaces (id),
      id ${text} not null, session_id ${text} not null, body ${text} not null, expires_at ${text} not null)`,
    'create index mcp_messages_session on mcp_messages (session_id)',
  ])
    await sql.raw(statement).execute(db);
}
