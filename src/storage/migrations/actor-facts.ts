/** Version 24: what actors are found by (organisation, repository, project, agent, person), and the words of issues. */
import { type Kysely, sql } from 'kysely';
import { factsOf } from '../../domain/actor-facts.js';
import type { Issue } from '../../domain/task.js';
import { decodeJson } from '../codec.js';
import type { DatabaseKind } from '../engine.js';
import { searchedText } from '../issue-schema.js';
import type { Schema } from '../schema.js';

const facts = ['org', 'repo', 'project', 'agent', 'person'] as const;

export async function up(db: Kysely<Schema>, kind: DatabaseKind): Promise<void> {
  const text = kind === 'postgres' ? 'text collate "C"' : 'text';
  for (const name of facts) {
    await sql.raw(`alter table actors add column ${name} ${text}`).execute(db);
    const index = `create index actors_by_${name} on actors (workspace_id, ${name}, number) where ${name} is not null`;
    await sql.raw(index).execute(db);
  }
  await sql.raw(`alter table issues add column searched ${text} not null default ''`).execute(db);
  for (const { number, snapshot } of await db.selectFrom('actors').select(['number', 'snapshot']).execute())
    await db
      .updateTable('actors')
      .set(factsOf(decodeJson(snapshot)))
      .where('number', '=', number)
      .execute();
  for (const { workspace_id, id, title, fields } of await db.selectFrom('issues').selectAll().execute())
    await db
      .updateTable('issues')
      .set({ searched: searchedText({ title, ...decodeJson<Pick<Issue, 'body'>>(fields) }) })
      .where('workspace_id', '=', workspace_id)
      .where('id', '=', id)
      .execute();
}
