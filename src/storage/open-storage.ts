/** Chooses the dialect by the location, migrates its schema and creates the repositories on it. */
import { HelveError } from '../domain/errors.js';
import type { Storage, StorageOptions } from '../domain/storage.js';
import { appendAtOnce, canAppendAtOnce } from './append-at-once.js';
import { createAuditBlocks } from './audit-blocks.js';
import { createCatalogue } from './catalogue.js';
import type { Engine } from './engine.js';
import { createJournal } from './journal.js';
import { migrate } from './migrations/index.js';
import { openPostgres } from './postgres.js';
import { createSharedCounts } from './shared-counts.js';
import { openSqlite } from './sqlite.js';
import { createSystem } from './system.js';
import { createWorkspace } from './workspace.js';

const postgresUrl = /^postgres(ql)?:\/\//;
const otherUrl = /^[a-z][a-z0-9+.-]+:\/\//i;
/** The schema of Helve's tables in a PostgreSQL database. */
export const defaultSchema = 'helve';
const schemaName = /^[a-z_][a-z0-9_]{0,62}$/;

/**
 * Opens the store and migrates its schema. Throws `invalid_config` for a bad location or the schema of a newer Helve,
 * else `storage_failed`.
 */
export async function openStorage(options: StorageOptions): Promise<Storage> {
  const schema = options.schema ?? defaultSchema;
  const engine = await openEngine(options, schema);
  try {
    await migrate(engine, schema);
  } catch (thrown) {
    await engine.close();
    throw thrown;
  }
  const journal = createJournal(engine.kind, options.seal);
  const listeners = new Set<(workspaceId: string) => void>();
  const parts = {
    engine,
    journal,
    blocks: createAuditBlocks(engine),
    changed(workspaceId: string) {
      for (const listener of listeners) listener(workspaceId);
    },
  };
  return {
    kind: engine.kind,
    system: createSystem(engine, journal),
    catalogue: createCatalogue(engine),
    workspace: (workspaceId) => createWorkspace(parts, workspaceId),
    async commit(entries) {
      if (entries.length === 0) return [];
      return canAppendAtOnce(engine, entries)
        ? appendAtOnce(engine, entries)
        : engine.run(() => journal.commit(entries));
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    now: () => engine.now(),
    ...(engine.kind === 'postgres' && { counts: createSharedCounts(engine) }),
    pool: () => engine.pool(),
    close: () => engine.close(),
  };
}

/** Opens the database at a location, and migrates nothing. Throws as `openStorage` does. */
export async function openEngine(
  { location, poolSize, now = () => new Date() }: Pick<StorageOptions, 'location' | 'poolSize' | 'now'>,
  schema: string,
): Promise<Engine> {
  if (location === '') throw new HelveError('invalid_config', 'The store has no location: name a file or a URL');
  if (postgresUrl.test(location)) {
    if (!schemaName.test(schema)) {
      throw new HelveError(
        'invalid_config',
        `The schema ${JSON.stringify(schema)} is not a plain lower-case PostgreSQL name`,
      );
    }
    return openPostgres(location, schema, poolSize);
  }
  if (otherUrl.test(location)) {
    const scheme = location.slice(0, location.indexOf(':'));
    throw new HelveError(
      'invalid_config',
      `The store cannot be a ${scheme}:// address: name a file or a postgres:// URL`,
    );
  }
  return openSqlite(location, now);
}
