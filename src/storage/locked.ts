/**
 * Runs work under a workspace's lock and writes its events in the same transaction. Every writer locks the head before
 * the work, so that writers of one workspace follow each other.
 */
import type { Kysely } from 'kysely';
import type { AuditDraft } from '../domain/audit.js';
import { repeatDeadlocked } from './deadlocks.js';
import { drive, type Engine } from './engine.js';
import type { Head, Journal, Raise } from './journal.js';
import type { Schema } from './schema.js';
import { missing } from './scope.js';

/**
 * `record` must be called for the events to be written; it may increase the counters, and add rows that only the work knows. `work` may
 * run again, after PostgreSQL has undone it to end a deadlock: it changes nothing but the store.
 */
export function withHead<T>(
  engine: Engine,
  journal: Journal,
  workspaceId: string,
  events: readonly AuditDraft[],
  work: (
    transaction: Kysely<Schema>,
    record: (raise?: Raise, more?: readonly AuditDraft[]) => void,
    head: Readonly<Head>,
  ) => Promise<T>,
): Promise<T> {
  return repeatDeadlocked(() =>
    engine.db.transaction().execute(async (transaction) => {
      const head = (await drive(transaction, journal.lock(workspaceId))) ?? missing(workspaceId);
      const recorded: { raise: Raise | undefined; more: readonly AuditDraft[] }[] = [];
      const result = await work(transaction, (raise, more = []) => recorded.push({ raise, more }), head);
      for (const { raise, more } of recorded)
        await drive(transaction, journal.append(head, [...events, ...more], raise));
      return result;
    }),
  );
}
