/**
 * A store that was moved elsewhere keeps its rows and says where they went, so that no process continues with the old ones. If a
 * store comes back to the same place, the old one is set aside under another name and never deleted.
 */
import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { type Kysely, sql } from 'kysely';
import { HelveError } from '../../domain/errors.js';
import { sqliteFiles } from '../../util/sqlite-files.js';
import type { Engine } from '../engine.js';
import { movedVersion } from '../migrations/index.js';
import { defaultSchema, openEngine } from '../open-storage.js';
import type { Schema } from '../schema.js';
import { listServing } from '../serving.js';
import { isHelve, requireStore, type StoreSnapshot, takeSnapshot } from './snapshot.js';

/**
 * Gives `work` the store while nobody can write to it, and then marks it as moved to the place that `work` returns. If `work`
 * throws, the store is as it was. Throws `conflict` while a process serves it, else as `withSnapshot`.
 */
export async function moveAway<T extends { readonly place: string }>(
  location: string,
  work: (snapshot: StoreSnapshot) => Promise<T>,
): Promise<T> {
  requireStore(location);
  const engine = await openEngine({ location, poolSize: 2 }, defaultSchema);
  try {
    // On SQLite this transaction holds the write lock from its beginning.
    return await engine.db.transaction().execute(async (db) => {
      const snapshot = await takeSnapshot(engine, db);
      if (engine.kind === 'postgres') await lockTables(db, [...snapshot.tables.map(({ name }) => name), 'instances']);
      await refuseServed(db, engine, snapshot.schema);
      const moved = await work(snapshot);
      await markMoved(db, engine.kind, moved.place);
      return moved;
    });
  } finally {
    await engine.close();
  }
}

/** Others may read. Waits for active writers. */
async function lockTables(db: Kysely<Schema>, names: readonly string[]): Promise<void> {
  await sql`set local lock_timeout = '15s'`.execute(db);
  await sql`lock table ${sql.join(names.map((name) => sql.ref(name)))} in exclusive mode`.execute(db);
}

async function refuseServed(db: Kysely<Schema>, { kind, place }: Engine, version: number): Promise<void> {
  const [alive] = await listServing(db, kind, version);
  if (alive === undefined) return;
  throw new HelveError('conflict', `Process ${alive.pid} on ${alive.host} serves the store at ${place}`, {
    hint: 'Stop every Helve on this store first. One that was killed on another machine counts for a minute more.',
  });
}

/** A change to one of these is part of every start and of everything that is acknowledged. */
const closed = ['instances', 'workspaces', 'audit_events'];

/**
 * Notes where the rows are now; from then on nothing opens the store. A process that has it open, or was just starting,
 * is refused by the database itself.
 */
async function markMoved(db: Kysely<Schema>, kind: Engine['kind'], place: string): Promise<void> {
  await sql`insert into helve_schema (version, name, applied_at)
    values (${movedVersion}, ${place}, ${new Date().toISOString()})`.execute(db);
  for (const table of closed) {
    if (kind === 'postgres')
      await sql`alter table ${sql.ref(table)} add constraint helve_moved check (false) not valid`.execute(db);
    else
      for (const event of ['insert', 'update'])
        await sql
          .raw(`create trigger helve_moved_${table}_${event} before ${event} on ${table}
            begin select raise(abort, 'moved'); end`)
          .execute(db);
  }
}

/**
 * Makes room for a store that returns to a place from which one was moved away. Returns a function that puts the old
 * one back, or undefined if there is none or it was not moved away.
 */
export async function setFileAside(path: string): Promise<(() => Promise<void>) | undefined> {
  if (path.includes('://') || !existsSync(path)) return undefined;
  const engine = await openEngine({ location: path, poolSize: 2 }, defaultSchema);
  const moved = await findMoved(engine.db, engine.kind).finally(() => engine.close());
  if (moved === undefined) return undefined;
  const aside = `${path}.moved-${fileTime(moved.at)}`;
  await renameAll(path, aside);
  return () => renameAll(aside, path);
}

/** The same in PostgreSQL, as a part of the transaction that fills the store. */
export async function setSchemaAside(db: Kysely<Schema>, schema: string): Promise<void> {
  const moved = await findMoved(db, 'postgres');
  if (moved === undefined) return;
  const aside = `${schema}_moved_${fileTime(moved.at).toLowerCase().replaceAll('-', '_')}`;
  await sql`alter schema ${sql.id(schema)} rename to ${sql.id(aside)}`.execute(db);
}

/** When the store was moved elsewhere; undefined if it was not. */
async function findMoved(db: Kysely<Schema>, kind: Engine['kind']) {
  if (!(await isHelve(db, kind))) return undefined;
  const found = await sql<{ at: string }>`select applied_at as at from helve_schema
    where version = ${movedVersion}`.execute(db);
  return found.rows[0];
}

async function renameAll(from: string, to: string): Promise<void> {
  const targets = sqliteFiles(to);
  for (const [place, file] of sqliteFiles(from).entries())
    if (existsSync(file)) await rename(file, targets[place] ?? to);
}

const fileTime = (at: string): string => at.replace(/[:.]/g, '-');
