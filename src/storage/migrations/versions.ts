/** Reads and writes `helve_schema`: how far the store has been migrated, and which programs may use it. */
import { type Kysely, sql } from 'kysely';
import { HelveError } from '../../domain/errors.js';
import type { Schema } from '../schema.js';
import { latestVersion, migrations } from './list.js';

export interface StoreVersions {
  /** Version of the schema; 0 before the first migration. */
  readonly version: number;
  /** Versions of all migrations that were run. */
  readonly applied: ReadonlySet<number>;
  /** The lowest schema whose programs may use the store. */
  readonly oldestReader: number;
  /** The place to which the store was moved. */
  readonly movedTo?: string;
}

/** The row of a store that was moved elsewhere: its name is the place. No migration has this version. */
export const movedVersion = -1;

/** The store must have its table `helve_schema`. */
export async function readVersions(db: Kysely<Schema>): Promise<StoreVersions> {
  // The column `oldest_reader` came with version 33: its absence and null both mean "only programs that know the migration".
  const found = sql<{ version: number; name: string; oldest_reader?: number | null }>`select * from helve_schema`;
  const { rows } = await found.execute(db);
  const moved = rows.find(({ version }) => version === movedVersion);
  return {
    applied: new Set(rows.map(({ version }) => version)),
    version: Math.max(0, ...rows.map(({ version }) => version)),
    oldestReader: Math.max(0, ...rows.map(({ version, oldest_reader }) => oldest_reader ?? version)),
    ...(moved !== undefined && { movedTo: moved.name }),
  };
}

/**
 * The version of the schema; 0 for a store without tables. Throws `invalid_config` if a newer Helve has changed it so that
 * this one cannot use it, or it was moved elsewhere.
 */
export async function schemaVersion(db: Kysely<Schema>, place: string): Promise<number> {
  const versions = await readVersions(db);
  refuseUnreadable(versions, place);
  return versions.version;
}

/** Throws `invalid_config` for a store that this Helve must not use. */
export function refuseUnreadable({ version, oldestReader, movedTo }: StoreVersions, place: string): void {
  if (movedTo !== undefined)
    throw new HelveError('invalid_config', `The store at ${place} was moved to ${movedTo}`, {
      hint: 'Name that one: HELVE_DATABASE_URL, or the data folder that it is in. `helve move` brings it back.',
    });
  if (oldestReader <= latestVersion) return;
  throw new HelveError(
    'invalid_config',
    `The store at ${place} was written by a newer Helve (schema ${version}, this one knows ${latestVersion}): upgrade Helve, or use another store`,
  );
}

/** Whether every migration of this Helve has been run, and none of a newer one that it cannot work with. */
export async function isMigrated(db: Kysely<Schema>): Promise<boolean> {
  const { applied, oldestReader } = await readVersions(db);
  return oldestReader <= latestVersion && migrations.every(({ version }) => applied.has(version));
}
