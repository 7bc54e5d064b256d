/** Finds out what an upgrade by this program would do to a store, without changing it. */
import { fileExists } from '../util/file-exists.js';
import { isHelve } from './copy/index.js';
import { type Engine, readTogether } from './engine.js';
import { findPending, latestVersion, oldestReaderAfter, readVersions, refuseUnreadable } from './migrations/index.js';
import { defaultSchema, openEngine } from './open-storage.js';
import { lastSilent, listServing, type Serving } from './serving.js';

export interface StoreState {
  /** For people: a path, or an address without its password. */
  readonly place: string;
  /** Version of the store's schema; 0 if there is no store yet. */
  readonly schema: number;
  /** The schema that this program writes. */
  readonly programSchema: number;
  /** The lowest schema whose programs can use the store after the upgrade. */
  readonly oldestReader: number;
  /** Whether programs of the store's present schema can be started on it after the upgrade. */
  readonly canGoBack: boolean;
  readonly pending: readonly { readonly version: number; readonly name: string; readonly oldestReader: number }[];
  /** The processes that serve the store now, and whether each can continue during and after the upgrade. */
  readonly serving: readonly (Serving & { readonly goesOn: boolean })[];
}

/**
 * `location`: the path of an SQLite file or a `postgres://` URL. Throws `invalid_config` for a store that this program must not
 * use, because a newer one has changed it or it was moved, else `storage_failed`.
 */
export async function inspectStore(location: string): Promise<StoreState> {
  if (!location.includes('://') && !fileExists(location)) return emptyStore(location);
  const engine = await openEngine({ location, poolSize: 2 }, defaultSchema);
  try {
    return await readTogether(engine.db, (db) => inspect(engine, db));
  } finally {
    await engine.close();
  }
}

const emptyStore = (place: string): StoreState => ({
  place,
  schema: 0,
  programSchema: latestVersion,
  oldestReader: 0,
  canGoBack: false,
  pending: [],
  serving: [],
});

async function inspect({ kind, place }: Engine, db: Engine['db']): Promise<StoreState> {
  if (!(await isHelve(db, kind))) return emptyStore(place);
  const versions = await readVersions(db);
  refuseUnreadable(versions, place);
  if (versions.version === 0) return emptyStore(place);
  const pending = findPending(versions);
  const oldestReader = Math.max(versions.oldestReader, oldestReaderAfter(pending));
  const serving = await listServing(db, kind, versions.version);
  return {
    place,
    schema: versions.version,
    programSchema: latestVersion,
    oldestReader,
    canGoBack: versions.version > lastSilent && versions.version >= oldestReader,
    pending: pending.map(({ version, name, oldestReader: own = version }) => ({ version, name, oldestReader: own })),
    serving: serving.map((one) => ({ ...one, goesOn: one.schema >= oldestReader })),
  };
}
