/** Which processes serve a store, and the schema that each of them knows. */
import { type Kysely, sql } from 'kysely';
import { processLives } from '../util/process-identity.js';
import type { DatabaseKind } from './engine.js';
import type { Schema } from './schema.js';

/** A process that has not been seen for this long, on a machine that cannot be asked, is not alive. */
const deadAfterMs = 60_000;

/** The last schema whose programs do not report which one they know, and do not start on a store with a later one. */
export const lastSilent = 31;

export interface Serving {
  readonly host: string;
  readonly pid: number;
  /** The schema that it knows. */
  readonly schema: number;
}

interface Row {
  readonly host: string;
  readonly pid: number;
  readonly start_token: string;
  readonly seen_at: string;
  readonly schema_version?: number | null;
}

/**
 * The processes that are alive; a killed one on another machine counts for a minute. `version`: version of the store's
 * schema, at least 1.
 */
export async function listServing(db: Kysely<Schema>, kind: DatabaseKind, version: number): Promise<Serving[]> {
  // All columns are selected, because older stores have no `schema_version`.
  const { rows } = await sql<Row>`select * from instances order by id`.execute(db);
  const now = kind === 'sqlite' ? Date.now() : await readClock(db);
  const alive = rows.filter(({ host, pid, start_token: startToken, seen_at }) => {
    const lives = processLives({ host, pid, startToken });
    return lives ?? now - Date.parse(seen_at) < deadAfterMs;
  });
  return alive.map(({ host, pid, schema_version }) => ({
    host,
    pid,
    schema: schema_version ?? Math.min(version, lastSilent),
  }));
}

/** The clock of PostgreSQL, in milliseconds. The engine's own method would need a second connection. */
async function readClock(db: Kysely<Schema>): Promise<number> {
  const clock = sql<{ at: number }>`select (extract(epoch from clock_timestamp()) * 1000)::bigint as at`;
  return Number((await clock.execute(db)).rows[0]?.at);
}
