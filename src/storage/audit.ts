/** Reads the audit record. `journal.ts` writes it. */
import { type SelectQueryBuilder, sql } from 'kysely';
import type { AuditQuery } from '../domain/audit.js';
import type { AuditTable } from '../domain/storage.js';
import type { AuditBlocks, SeqRange } from './audit-blocks.js';
import { encodeTime, jsonFragment } from './codec.js';
import type { Engine } from './engine.js';
import { toEvent } from './event-rows.js';
import type { AuditEventRow, Schema } from './schema.js';
import { scoped } from './scope.js';

const defaultLimit = 50;
const maximumLimit = 500;
/** The newest rows are searched directly, unless they are in a known block: most searches end there. */
const newestRows = 2_048;
/** Rows that one statement may read: a few milliseconds, during which this process does nothing else. */
const rowsPerStatement = 4_096;

export function createAuditTable(engine: Engine, blocks: AuditBlocks, workspaceId: string): AuditTable {
  const scope = scoped(engine.db, workspaceId);

  /**
   * The rows of executions. Asked for these numbers only, SQLite reads the index of executions; asked for whole rows, it
   * would read all rows of the workspace.
   */
  async function findSeqs(executionIds: readonly string[]): Promise<number[]> {
    const rows = scope.selectFrom('audit_events').select('seq').where('execution_id', 'in', executionIds);
    const seqs = (await rows.execute()).map(({ seq }) => seq);
    // PostgreSQL refuses an empty list; no row has this number.
    return seqs.length === 0 ? [0] : seqs;
  }

  async function find(query: AuditQuery, limit: number, range?: SeqRange): Promise<AuditEventRow[]> {
    let rows = restrict(engine, scope.selectFrom('audit_events').selectAll(), query);
    if (query.executionId !== undefined) rows = rows.where('seq', 'in', await findSeqs([query.executionId]));
    if (range) rows = rows.where('seq', '>', range.after).where('seq', '<=', range.upTo);
    return rows.orderBy('seq', 'desc').limit(limit).execute();
  }

  async function findByBlocks(query: AuditQuery, limit: number): Promise<AuditEventRow[]> {
    const { audit_seq: head } = await scope.workspace();
    // Rows above the head would be forged, but a search shows them: only the check of the chain judges.
    const upTo = query.before === undefined ? Number.MAX_SAFE_INTEGER : query.before - 1;
    const after = Math.max(Math.min(upTo, head) - newestRows, Math.min(upTo, blocks.covered(workspaceId)), 0);
    const found = after === upTo ? [] : await find(query, limit, { after, upTo });
    if (after === 0) return found;
    const older = joinRanges(blocks.candidates(workspaceId, query, after + 1), rowsPerStatement);
    for await (const range of older) {
      if (found.length >= limit) break;
      const rest = { after: range.after, upTo: Math.min(range.upTo, after) };
      found.push(...(await find(query, limit - found.length, rest)));
    }
    return found;
  }

  return {
    async search(query) {
      const limit = Math.max(0, Math.min(query.limit ?? defaultLimit, maximumLimit));
      if (limit === 0 || query.types?.length === 0) return [];
      const rows = isNarrow(query) ? await find(query, limit) : await findByBlocks(query, limit);
      return rows.map(toEvent);
    },
    async rows(seqs) {
      if (seqs.length === 0) return [];
      const rows = scope.selectFrom('audit_events').selectAll().where('seq', 'in', seqs).orderBy('seq');
      return (await rows.execute()).map(toEvent);
    },
    async ofExecutions(ids, types) {
      if (ids.length === 0) return [];
      const rows = scope
        .selectFrom('audit_events')
        .selectAll()
        .where('seq', 'in', await findSeqs(ids));
      return (await rows.where('type', 'in', types).orderBy('seq').execute()).map(toEvent);
    },
    async page(after, limit) {
      const rows = scope.selectFrom('audit_events').selectAll().where('seq', '>', after).orderBy('seq');
      return (await rows.limit(Math.max(0, limit)).execute()).map(toEvent);
    },
    async head() {
      const { audit_seq, audit_hash } = await scope.workspace();
      return { seq: audit_seq, hash: audit_hash };
    },
  };
}

/** Whether the table's own indexes answer the query: the rows of one execution, or simply the newest. */
function isNarrow({ executionId, types, tool, actorId, text, since, until }: AuditQuery): boolean {
  return executionId !== undefined || [types, tool, actorId, text, since, until].every((asked) => asked === undefined);
}

function restrict<O>(
  engine: Engine,
  all: SelectQueryBuilder<Schema, 'audit_events', O>,
  { types, tool, actorId, text, since, until, before }: AuditQuery,
): SelectQueryBuilder<Schema, 'audit_events', O> {
  const position = engine.kind === 'postgres' ? sql.raw('strpos') : sql.raw('instr');
  let rows = all;
  if (types !== undefined) rows = rows.where('type', 'in', types);
  if (tool !== undefined) rows = rows.where('tool', '=', tool);
  if (actorId !== undefined) rows = rows.where('actor_id', '=', actorId);
  if (text !== undefined) rows = rows.where(sql<boolean>`${position}(body, ${jsonFragment(text)}) > 0`);
  if (since !== undefined) rows = rows.where('at', '>=', encodeTime(since));
  if (until !== undefined) rows = rows.where('at', '<=', encodeTime(until));
  if (before !== undefined) rows = rows.where('seq', '<', before);
  return rows;
}

/** Joins adjacent ranges, newest first, as long as they have at most `size` rows together. */
async function* joinRanges(ranges: AsyncIterable<SeqRange>, size: number): AsyncIterable<SeqRange> {
  let joined: SeqRange | undefined;
  for await (const range of ranges) {
    if (joined?.after === range.upTo && joined.upTo - range.after <= size) {
      joined = { after: range.after, upTo: joined.upTo };
      continue;
    }
    if (joined) yield joined;
    joined = range;
  }
  if (joined) yield joined;
}
