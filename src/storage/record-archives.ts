/** Which rows of a workspace's record are in archives, and their removal from the store. */
import { HelveError } from '../domain/errors.js';
import type { RecordArchive, RecordArchiveTable } from '../domain/record-archive.js';
import { openStatuses } from '../domain/run.js';
import { chainStart } from '../domain/storage.js';
import { encodeTime } from './codec.js';
import type { Engine } from './engine.js';
import type { Journal } from './journal.js';
import { withHead } from './locked.js';
import type { RecordArchiveRow } from './schema.js';
import { type Scope, scoped } from './scope.js';

/** Of the two indexes over the record: see `audit-blocks.ts` and `audit/calls/call-index.ts`. */
const blockRows = { audit_blocks: 512, call_blocks: 1_024 } as const;

export function createRecordArchives(engine: Engine, journal: Journal, workspaceId: string): RecordArchiveTable {
  const scope = scoped(engine.db, workspaceId);

  async function findNewest(within: Scope = scope): Promise<RecordArchive | undefined> {
    const rows = within.selectFrom('record_archives').selectAll().orderBy('last_seq', 'desc').limit(1);
    const row = await rows.executeTakeFirst();
    return row && toArchive(row);
  }

  return {
    async list() {
      return (await scope.selectFrom('record_archives').selectAll().orderBy('last_seq').execute()).map(toArchive);
    },
    newest: () => findNewest(),
    add: (archive, events) =>
      withHead(engine, journal, workspaceId, events, async (transaction, record) => {
        const inside = scoped(transaction, workspaceId);
        const follows = (await findNewest(inside))?.last ?? { seq: 0, hash: chainStart };
        if (archive.firstSeq !== follows.seq + 1 || archive.previousHash !== follows.hash)
          throw new HelveError('conflict', 'Another process has archived these rows meanwhile');
        await inside.insertInto('record_archives', toRow(archive)).execute();
        if (events.length > 0) record();
      }),
    async prune(limit) {
      const newest = await findNewest();
      const oldest = scope.selectFrom('audit_events').select('seq').orderBy('seq').limit(1);
      const first = (await oldest.executeTakeFirst())?.seq;
      if (newest === undefined || first === undefined || first > newest.last.seq) return 0;
      const upTo = Math.min(first + limit - 1, newest.last.seq);
      const deleted = await scope.deleteFrom('audit_events').where('seq', '<=', upTo).executeTakeFirst();
      for (const [table, rows] of Object.entries(blockRows) as [keyof typeof blockRows, number][])
        await scope
          .deleteFrom(table)
          .where('block', '<', Math.floor(upTo / rows))
          .execute();
      return Number(deleted.numDeletedRows);
    },
    async openSince() {
      const intents = await scope.selectFrom('intents').select('started_at').orderBy('started_at').limit(1).execute();
      const runs = await scope
        .selectFrom('runs')
        .select('started_at')
        .where('status', 'in', openStatuses)
        .orderBy('started_at')
        .limit(1)
        .execute();
      const approvals = await scope
        .selectFrom('approvals')
        .select('requested_at as started_at')
        .where('status', 'in', ['pending', 'approved'])
        .orderBy('requested_at')
        .limit(1)
        .execute();
      return [...intents, ...runs, ...approvals].map(({ started_at }) => started_at).sort()[0];
    },
  };
}

function toArchive(row: RecordArchiveRow): RecordArchive {
  return {
    workspaceId: row.workspace_id,
    firstSeq: row.first_seq,
    previousHash: row.previous_hash,
    last: { seq: row.last_seq, hash: row.last_hash },
    firstAt: row.first_at,
    lastAt: row.last_at,
    contentHash: row.content_hash,
    signature: row.signature,
    archivedAt: row.archived_at,
  };
}

function toRow(archive: RecordArchive): Omit<RecordArchiveRow, 'workspace_id'> {
  return {
    first_seq: archive.firstSeq,
    previous_hash: archive.previousHash,
    last_seq: archive.last.seq,
    last_hash: archive.last.hash,
    first_at: archive.firstAt,
    last_at: archive.lastAt,
    content_hash: archive.contentHash,
    signature: archive.signature,
    archived_at: encodeTime(archive.archivedAt),
  };
}
