import { Kysely, SqliteDialect, sql } from 'kysely';
import Libsql from 'libsql';
import { expect, it } from 'vitest';
import type { Schema } from '../schema.js';
import { up } from './actor-facts.js';
import { up as actors } from './actors.js';
import { up as issues } from './issues.js';

it('fills in what actors and issues of an earlier version are found by', async () => {
  const db = new Kysely<Schema>({ dialect: new SqliteDialect({ database: new Libsql(':memory:') as never }) });
  await sql.raw('create table workspaces (id text primary key)').execute(db);
  await sql.raw(`insert into workspaces values ('w')`).execute(db);
  await actors(db, 'sqlite');
  await issues(db, 'sqlite');
  const context = { org: 'own', repo: null, agent: 'coder', assignment: { onBehalfOf: { id: 'ada' } } };
  const snapshot = JSON.stringify({ value: 'idle', status: 'active', context });
  for (const [id, text] of [
    ['i', snapshot],
    ['j', JSON.stringify({ value: 'idle', status: 'active', context: { assignment: null } })],
  ])
    await sql`insert into actors (workspace_id, kind, id, version, handled, state, status, snapshot, created_at, updated_at)
      values ('w', 'issue', ${id}, 0, 0, 'idle', 'active', ${text}, '', '')`.execute(db);
  await sql`insert into issues (workspace_id, id, title, fields, created_at, updated_at)
    values ('w', 'i', 'It BREAKS', ${JSON.stringify({ labels: [], body: 'Ünder load' })}, '', '')`.execute(db);
  await up(db, 'sqlite');
  const rows = await db.selectFrom('actors').select(['id', 'org', 'repo', 'project', 'agent', 'person']).execute();
  const none = { org: null, repo: null, project: null, agent: null, person: null };
  expect(rows).toEqual([
    { ...none, id: 'i', org: 'own', agent: 'coder', person: 'ada' },
    { ...none, id: 'j' },
  ]);
  expect(await db.selectFrom('issues').select('searched').execute()).toEqual([{ searched: 'it breaks\nünder load' }]);
  await db.destroy();
});
