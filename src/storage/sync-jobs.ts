/**
 * Jobs that bring the catalogue up to date. The unique index on running jobs is the lock: one per source, across all
 * processes.
 */
import type { Kysely } from 'kysely';
import type { CatalogueTables, StepWork, SyncJob, SyncJobTable, SyncLease, SyncProgress } from '../domain/catalogue.js';
import { HelveError } from '../domain/errors.js';
import { encodeCounts, fromJob, toJob } from './catalogue-rows.js';
import { encodeTime } from './codec.js';
import type { Schema } from './schema.js';

export function createSyncJobs(
  db: Kysely<Schema>,
  tablesFor: (transaction: Kysely<Schema>, job: SyncJob) => CatalogueTables,
): SyncJobTable {
  return {
    async begin(job, until) {
      const inserted = await db
        .insertInto('sync_jobs')
        .values({ ...fromJob(job), lease_until: encodeTime(until) })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      if (inserted.numInsertedOrUpdatedRows === 1n) return { job, created: true };
      const query = db.selectFrom('sync_jobs').selectAll().where('source', '=', job.source);
      const running = await query.where('status', '=', 'running').executeTakeFirst();
      if (running) return { job: toJob(running), created: false };
      // The job ended between the two statements.
      return this.begin(job, until);
    },
    async takeOver(id, { holder, until, now, dead }) {
      const row = await db
        .updateTable('sync_jobs')
        .set({ holder, lease_until: encodeTime(until) })
        .where('id', '=', id)
        .where('status', '=', 'running')
        .where((is) =>
          is.or([is('lease_until', '<=', encodeTime(now)), ...(dead === undefined ? [] : [is('holder', '=', dead)])]),
        )
        .returningAll()
        .executeTakeFirst();
      return row && toJob(row);
    },
    step: (id, lease, progress, work) => step(db, tablesFor, { id, lease, progress, work }),
    async end(id, { status, at, error }) {
      const row = await db
        .updateTable('sync_jobs')
        .set({ status, finished_at: encodeTime(at), updated_at: encodeTime(at), error: error ?? null })
        .where('id', '=', id)
        .where('status', '=', 'running')
        .returningAll()
        .executeTakeFirst();
      return row && toJob(row);
    },
    async find(id) {
      const row = await db.selectFrom('sync_jobs').selectAll().where('id', '=', id).executeTakeFirst();
      return row && toJob(row);
    },
    async list({ source, running, limit }) {
      let query = db
        .selectFrom('sync_jobs')
        .selectAll()
        .orderBy('started_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit);
      if (source !== undefined) query = query.where('source', '=', source);
      if (running) query = query.where('status', '=', 'running');
      return (await query.execute()).map(toJob);
    },
  };
}

interface Step {
  readonly id: string;
  readonly lease: SyncLease;
  readonly progress: SyncProgress & { readonly at: string };
  readonly work: StepWork | undefined;
}

function step(
  db: Kysely<Schema>,
  tablesFor: (transaction: Kysely<Schema>, job: SyncJob) => CatalogueTables,
  { id, lease: { holder, until }, progress, work }: Step,
): Promise<SyncJob> {
  const { phase, counts, done, total, cursor, at, leftOut } = progress;
  return db.transaction().execute(async (transaction) => {
    const ours = () => transaction.updateTable('sync_jobs').where('id', '=', id).where('holder', '=', holder);
    const held = await ours()
      .set({ updated_at: encodeTime(at), lease_until: encodeTime(until) })
      .where('status', '=', 'running')
      .returningAll()
      .executeTakeFirst();
    if (!held) throw new HelveError('conflict', 'The synchronisation was stopped, or another process has continued it');
    const before = toJob(held);
    const removed = (await work?.(tablesFor(transaction, before))) ?? 0;
    const row = await ours()
      .set({
        phase,
        done,
        total: total ?? null,
        cursor: JSON.stringify(cursor),
        counts: encodeCounts({ ...counts, removed: counts.removed + removed }, leftOut ?? before.leftOut),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    return toJob(row);
  });
}
