/**
 * The schema's history: forward only, plain data, run on opening. A lock across processes (the write lock of SQLite, an
 * advisory lock of PostgreSQL) lets exactly one process migrate at a time.
 */
import { type Kysely, sql } from 'kysely';
import { HelveError } from '../../domain/errors.js';
import type { DatabaseKind, Engine } from '../engine.js';
import type { Schema } from '../schema.js';
import { up as actorFacts } from './actor-facts.js';
import { up as actors } from './actors.js';
import { up as agentWorkers } from './agent-workers.js';
import { up as approvals } from './approvals.js';
import { up as auditBlocks } from './audit-blocks.js';
import { up as authorizations } from './authorizations.js';
import { up as calls } from './calls.js';
import { up as catalogue } from './catalogue.js';
import { up as configurationChanges } from './configuration-changes.js';
import { up as connections } from './connections.js';
import { up as credentialLives } from './credential-lives.js';
import { up as documents } from './documents.js';
import { up as first } from './first.js';
import { up as identities } from './identities.js';
import { up as issues } from './issues.js';
import { up as keyRoles } from './key-roles.js';
import { up as learnedTypes } from './learned-types.js';
import { up as mcpSessions } from './mcp-sessions.js';
import { up as notifications } from './notifications.js';
import { up as people } from './people.js';
import { up as personPrograms } from './person-programs.js';
import { up as recipes } from './recipes.js';
import { up as recordArchives } from './record-archives.js';
import { up as renewalPauses } from './renewal-pauses.js';
import { up as runTakeovers } from './run-takeovers.js';
import { up as runs } from './runs.js';
import { up as severalProcesses } from './several-processes.js';
import { up as taskSources } from './task-sources.js';
import { up as toolModes } from './tool-modes.js';
import { up as whose } from './whose.js';

interface Migration {
  readonly version: number;
  readonly name: string;
  up(db: Kysely<Schema>, kind: DatabaseKind): Promise<void>;
}

const migrations: readonly Migration[] = [
  { version: 1, name: 'first', up: first },
  { version: 2, name: 'documents', up: documents },
  { version: 3, name: 'connections', up: connections },
  { version: 4, name: 'authorizations', up: authorizations },
  { version: 5, name: 'catalogue', up: catalogue },
  { version: 6, name: 'tool modes', up: toolModes },
  { version: 7, name: 'credential lives', up: credentialLives },
  { version: 8, name: 'whose', up: whose },
  { version: 9, name: 'approvals', up: approvals },
  { version: 10, name: 'audit blocks', up: auditBlocks },
  { version: 11, name: 'renewal pauses', up: renewalPauses },
  { version: 12, name: 'learned types', up: learnedTypes },
  { version: 13, name: 'runs', up: runs },
  { version: 14, name: 'run takeovers', up: runTakeovers },
  { version: 15, name: 'people', up: people },
  { version: 16, name: 'identities', up: identities },
  { version: 17, name: 'calls', up: calls },
  { version: 18, name: 'key roles', up: keyRoles },
  { version: 21, name: 'actors', up: actors },
  { version: 22, name: 'issues', up: issues },
  { version: 23, name: 'task sources', up: taskSources },
  { version: 24, name: 'actor facts', up: actorFacts },
  { version: 25, name: 'person programs', up: personPrograms },
  { version: 26, name: 'agent workers', up: agentWorkers },
  { version: 27, name: 'recipes', up: recipes },
  { version: 28, name: 'record archives', up: recordArchives },
  { version: 29, name: 'several processes', up: severalProcesses },
  { version: 30, name: 'notifications', up: notifications },
  { version: 31, name: 'mcp sessions', up: mcpSessions },
  { version: 32, name: 'configuration changes', up: configurationChanges },
];

/** The version of the schema that this Helve writes. */
export const latestVersion = migrations.at(-1)?.version ?? 0;

/** Any fixed number, the same for every Helve. */
const advisoryLock = 4_835_018;

export async function migrate(engine: Engine, schema: string): Promise<void> {
  if (engine.kind === 'sqlite' && (await isCurrent(engine))) return;
  await engine.db.transaction().execute((transaction) => migrateWithin(transaction, { engine, schema }));
}

/**
 * Migrates inside a transaction that the caller has opened. `upTo`: the last version to apply; by default the latest. Throws
 * `invalid_config` for the schema of a newer Helve.
 */
export async function migrateWithin(
  transaction: Kysely<Schema>,
  { engine, schema }: { readonly engine: Engine; readonly schema: string },
  upTo = latestVersion,
): Promise<void> {
  if (engine.kind === 'postgres') await preparePostgres(transaction, schema);
  await sql`create table if not exists helve_schema
    (version integer primary key, name text not null, applied_at text not null)`.execute(transaction);
  const present = await schemaVersion(transaction, engine.place);
  for (const migration of migrations.filter(({ version }) => version > present && version <= upTo)) {
    await migration.up(transaction, engine.kind);
    await sql`insert into helve_schema (version, name, applied_at)
      values (${migration.version}, ${migration.name}, ${new Date().toISOString()})`.execute(transaction);
  }
}

/** A check without the write lock, so that opening a current file does not wait for a writer. */
async function isCurrent(engine: Engine): Promise<boolean> {
  const found = await sql`select 1 from sqlite_master where type = 'table' and name = 'helve_schema'`.execute(
    engine.db,
  );
  return found.rows.length > 0 && (await schemaVersion(engine.db, engine.place)) === latestVersion;
}

/** Whether every migration of this Helve has been run; those of a newer one may have been run too. */
export async function isMigrated(db: Kysely<Schema>): Promise<boolean> {
  const found = await sql<{ version: number | null }>`select max(version) as version from helve_schema`.execute(db);
  return (found.rows[0]?.version ?? 0) >= latestVersion;
}

/**
 * The version of the schema; 0 for a store without tables. Throws `invalid_config` if a newer Helve has written it, or it
 * was moved elsewhere.
 */
export async function schemaVersion(db: Kysely<Schema>, place: string): Promise<number> {
  const result = await sql<{ version: number | null; moved: string | null }>`select max(version) as version,
    max(case when version = ${sql.lit(movedVersion)} then name end) as moved from helve_schema`.execute(db);
  const { version, moved } = result.rows[0] ?? { version: 0, moved: null };
  if (moved !== null)
    throw new HelveError('invalid_config', `The store at ${place} was moved to ${moved}`, {
      hint: 'Name that one: HELVE_DATABASE_URL, or the data folder that it is in. `helve move` brings it back.',
    });
  if ((version ?? 0) <= latestVersion) return version ?? 0;
  throw new HelveError(
    'invalid_config',
    `The store at ${place} was written by a newer Helve (schema ${version}, this one knows ${latestVersion}): upgrade Helve, or use another store`,
  );
}

/** The row of a store that was moved elsewhere: its name is the place. No migration has this version. */
export const movedVersion = -1;

async function preparePostgres(db: Kysely<Schema>, schema: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(advisoryLock)})`.execute(db);
  // "create schema if not exists" requires the right to create even if the schema already exists.
  const found = await sql`select 1 from pg_namespace where nspname = ${schema}`.execute(db);
  if (found.rows.length === 0) await sql`create schema ${sql.id(schema)}`.execute(db);
}
