/** The list of calls, newest first, as their last rows describe them. */
import { endTypes, readStatus } from '../../audit/index.js';
import type { AuditEvent, AuditQuery } from '../../domain/audit.js';
import type { ExecutionsQuery } from '../../domain/execution.js';
import type { Plane } from '../../domain/plane.js';
import { isOwn, type Principal } from '../../domain/principal.js';
import type { PlaneParts } from '../../flows/parts.js';
import { defined } from '../../util/defined.js';
import { findSeqs, readCondition } from './list-calls.js';
import { listOwned, toRecord } from './record.js';
import { withRecordName } from './record-name.js';

const maxListed = 500;
const pageRows = 500;

export function createExecutionList(parts: PlaneParts): Pick<Plane, 'executions'> {
  return {
    async executions(principal, query) {
      const { rule, connection, limit = 50 } = query;
      const isInEveryLastRow = rule === undefined && connection === undefined;
      const find = isInEveryLastRow ? findInRecord : findInIndex;
      return (await find(parts, principal, { ...query, limit: Math.min(limit, maxListed) })).map((event) =>
        toRecord([event]),
      );
    },
  };
}

type Limited = ExecutionsQuery & { readonly limit: number };

/** The last row of a call need not name its rule or its account: those of its start do, and the index has both. */
async function findInIndex(
  parts: PlaneParts,
  principal: Principal,
  { before, limit, ...filter }: Limited,
): Promise<AuditEvent[]> {
  const condition = await readCondition(parts, principal, filter);
  const seqs = await findSeqs(parts, principal, { condition, before, after: undefined, limit });
  return (await parts.storage.workspace(principal.workspaceId).audit.rows(seqs)).reverse();
}

async function findInRecord(
  parts: PlaneParts,
  principal: Principal,
  { before: from, limit: max, ...query }: Limited,
): Promise<AuditEvent[]> {
  const { rows, isWanted, isSifted } = await chooseRows(parts, principal, query);
  const limit = isSifted ? pageRows : max;
  const { audit } = parts.storage.workspace(principal.workspaceId);
  const found: AuditEvent[] = [];
  for (let before = from; found.length < max; ) {
    const events = await audit.search({ ...rows, limit, ...defined({ before }) });
    for (const event of events) if (await isWanted(event)) found.push(event);
    if (events.length < limit) break;
    before = events.at(-1)?.seq;
  }
  return found.slice(0, max);
}

const typesOf = {
  ok: ['execution.finished'],
  failed: ['execution.finished'],
  refused: ['execution.refused'],
  interrupted: ['execution.interrupted'],
} as const;

/** What the store is asked for, and which of its rows are wanted: it cannot be asked for everything. */
async function chooseRows(
  parts: PlaneParts,
  principal: Principal,
  { status, actor, text, since, until, tool }: ExecutionsQuery,
) {
  const owned = await listOwned(parts, principal);
  const seesAll = principal.permissions.includes('audit:read');
  const ownOnly = seesAll || owned.size > 0 ? undefined : principal.id;
  const rows: AuditQuery = {
    types: status === undefined ? endTypes : typesOf[status],
    ...defined({ actorId: actor ?? ownOnly, since, until, text }),
    ...(await withRecordName(parts, principal, defined({ tool }))),
  };
  const isVisible = async (event: AuditEvent): Promise<boolean> => {
    if (seesAll || isOwn(principal, event) || owned.has(String(event.body.connectionId))) return true;
    if (event.actor.id !== principal.id || event.type !== 'execution.interrupted') return false;
    // Only the row of its start says for whom it was made.
    const { audit } = parts.storage.workspace(principal.workspaceId);
    const started = await audit.search({
      ...defined({ executionId: event.executionId }),
      types: ['execution.started'],
    });
    return started.some((row) => isOwn(principal, row));
  };
  return {
    rows,
    isWanted: async (event: AuditEvent) =>
      (status === undefined || readStatus(event) === status) && (await isVisible(event)),
    isSifted: owned.size > 0 || status !== undefined,
  };
}
