/**
 * What a dialect opener gives the repositories: a Kysely instance for ordinary queries, and `run`, one write
 * transaction over a generator of statements. The generator lets the same code run without a single await on SQLite
 * (nothing interleaves, nothing is queued) and with awaits on PostgreSQL.
 */
import { CompiledQuery, type Kysely } from 'kysely';
import type { StorePool } from '../domain/telemetry.js';
import type { Schema } from './schema.js';

export type Parameter = string | number | null;

export interface Statement {
  readonly sql: string;
  readonly parameters: readonly Parameter[];
}

export interface StatementResult {
  readonly rows: readonly Record<string, unknown>[];
  readonly changes: number;
}

export type Steps<T> = Generator<Statement, T, StatementResult>;

export type DatabaseKind = 'sqlite' | 'postgres';

export interface Engine {
  readonly kind: DatabaseKind;
  readonly db: Kysely<Schema>;
  /** The location of the data, for people: a path, or an address without its password. */
  readonly place: string;
  run<T>(steps: () => Steps<T>): Promise<T>;
  /** Only SQLite: runs a text of several statements in the transaction that is open, faster than one after the other. */
  readonly runScript?: (text: string) => void;
  /** The clock shared by all processes on this store. */
  now(): Promise<Date>;
  /** Undefined: it has one connection. */
  pool(): StorePool | undefined;
  close(): Promise<void>;
}

/** Runs the steps inside a transaction that the caller has opened. */
export async function drive<T>(transaction: Kysely<Schema>, steps: Steps<T>): Promise<T> {
  let next = steps.next();
  while (!next.done) {
    const { sql, parameters } = next.value;
    const result = await transaction.executeQuery<Record<string, unknown>>(CompiledQuery.raw(sql, [...parameters]));
    next = steps.next({ rows: result.rows, changes: Number(result.numAffectedRows ?? 0n) });
  }
  return next.value;
}

/** Reads with a plain text, outside any transaction. */
export async function readNow(
  db: Kysely<Schema>,
  { sql, parameters }: Statement,
): Promise<readonly Record<string, unknown>[]> {
  return (await db.executeQuery<Record<string, unknown>>(CompiledQuery.raw(sql, [...parameters]))).rows;
}

/** Runs the steps to the end without yielding. */
export function driveNow<T>(steps: Steps<T>, execute: (statement: Statement) => StatementResult): T {
  let next = steps.next();
  while (!next.done) next = steps.next(execute(next.value));
  return next.value;
}

/** Runs several reads in one consistent view. */
export function readTogether<T>(db: Kysely<Schema>, work: (transaction: Kysely<Schema>) => Promise<T>): Promise<T> {
  return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work);
}
