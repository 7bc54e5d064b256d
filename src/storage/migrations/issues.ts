/** Version 22: issues, their comments, and the tool configs of organisations, repositories, projects and issues. */
import { type Kysely, sql } from 'kysely';
import type { DatabaseKind } from '../engine.js';
import type { Schema } from '../schema.js';

export async function up(db: Kysely<Schema>, kind: DatabaseKind): Promise<void> {
  const text = kind === 'postgres' ? 'text collate "C"' : 'text';
  const workspace = `workspace_id ${text} not null references workspaces (id)`;
  const statements = [
    `create table issues (${workspace}, id ${text} not null, title ${text} not null, fields ${text} not null,
      created_at ${text} not null, updated_at ${text} not null, primary key (workspace_id, id))`,
    `create table issue_comments (${workspace}, issue_id ${text} not null, id ${text} not null, author ${text} not null,
      text ${text} not null, created_at ${text} not null, primary key (workspace_id, issue_id, id),
      foreign key (workspace_id, issue_id) references issues (workspace_id, id) on delete cascade)`,
    `create table tool_configs (${workspace}, level ${text} not null, id ${text} not null, config ${text} not null,
      updated_at ${text} not null, updated_by ${text} not null, primary key (workspace_id, level, id))`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
