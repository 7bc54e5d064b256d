/** Version 2: texts that toolkits store. Each space counts its writes, so that a reader can ask for what is new. */
import { type Kysely, sql } from 'kysely';
import type { DatabaseKind } from '../engine.js';
import type { Schema } from '../schema.js';

export async function up(db: Kysely<Schema>, kind: DatabaseKind): Promise<void> {
  const text = kind === 'postgres' ? 'text collate "C"' : 'text';
  const tenant = `workspace_id ${text} not null references workspaces (id)`;
  for (const statement of [
    `create table document_spaces (${tenant}, space ${text} not null, revision bigint not null,
      primary key (workspace_id, space))`,
    `create table documents (${tenant}, space ${text} not null, path ${text} not null, media_type ${text} not null,
      hash ${text} not null, version bigint not null, updated_at ${text} not null, content ${text} not null,
      primary key (workspace_id, space, path))`,
    'create index documents_version on documents (workspace_id, space, version)',
  ]) {
    await sql.raw(statement).execute(db);
  }
}
