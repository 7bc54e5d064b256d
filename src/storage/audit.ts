/** Reading the record. Writing it is `journal.ts`. */
import { sql } from 'kysely';
import type { AuditTable } from '../spec/storage.js';
import { encodeTime, jsonFragment } from './codec.js';
import type { Engine } from './engine.js';
import { toEvent } from './event-rows.js';
import { scoped } from './scope.js';

const defaultLimit = 50;
const maximumLimit = 500;

export function createAuditTable(engine: Engine, workspaceId: string): AuditTable {
  const scope = scoped(engine.db, workspaceId);
  const position = engine.kind === 'postgres' ? sql.raw('strpos') : sql.raw('instr');
  return {
    async search(query) {
      const { types, tool, actorId, executionId, text, since, until, before, limit = defaultLimit } = query;
      let rows = scope.selectFrom('audit_events').selectAll();
      if (types !== undefined && types.length === 0) return [];
      if (types !== undefined) rows = rows.where('type', 'in', types);
      if (tool !== undefined) rows = rows.where('tool', '=', tool);
      if (actorId !== undefined) rows = rows.where('actor_id', '=', actorId);
      if (executionId !== undefined) rows = rows.where('execution_id', '=', executionId);
      if (text !== undefined) rows = rows.where(sql<boolean>`${position}(body, ${jsonFragment(text)}) > 0`);
      if (since !== undefined) rows = rows.where('at', '>=', encodeTime(since));
      if (until !== undefined) rows = rows.where('at', '<=', encodeTime(until));
      if (before !== undefined) rows = rows.where('seq', '<', before);
      const newest = rows.orderBy('seq', 'desc').limit(Math.max(0, Math.min(limit, maximumLimit)));
      return (await newest.execute()).map(toEvent);
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
