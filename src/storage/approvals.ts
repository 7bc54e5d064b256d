/** Approvals. Requesting or deciding one locks the workspace's head, so that each happens once. */
import { type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { ApprovalsFilter } from '../domain/approval.js';
import { HelveError } from '../domain/errors.js';
import type { ApprovalScope, ApprovalTable } from '../domain/storage.js';
import { encodePrincipal, encodeTime } from './codec.js';
import type { Engine } from './engine.js';
import type { Journal } from './journal.js';
import { withHead } from './locked.js';
import { fromApproval, toApproval } from './rows.js';
import type { ApprovalRow, Schema } from './schema.js';
import { type Scope, scoped } from './scope.js';

const defaultLimit = 100;
const maximumLimit = 500;
/** No call can use it any more. */
const over = ['used', 'withdrawn'] as const;

/** Newest first, not expired at `now`. Ids are UUIDv7: they break ties in the order of creation. */
function live(scope: Scope, binding: string, now: string) {
  const query = scope.selectFrom('approvals').selectAll().where('binding', '=', binding);
  return query.where('expires_at', '>', now).orderBy('requested_at', 'desc').orderBy('id', 'desc').limit(1);
}

async function getPending(scope: Scope, { principal, requested_at }: Pick<ApprovalRow, 'principal' | 'requested_at'>) {
  const mine = scope.selectFrom('approvals').select('id').where('principal', '=', principal);
  const waiting = mine.where('status', '=', 'pending').where('expires_at', '>', requested_at);
  return (await waiting.execute()).length;
}

function tooMany(maxPending: number): HelveError {
  return new HelveError('rate_limited', `${maxPending} calls of this caller are already waiting for approval`, {
    hint: 'Make no more calls that need approval until a person has decided on some of these, or until they expire.',
  });
}

export function createApprovals(engine: Engine, journal: Journal, workspaceId: string): ApprovalTable {
  const scope = scoped(engine.db, workspaceId);
  const locked = <T>(work: (transaction: Kysely<Schema>, record: () => void) => Promise<T>, events: Events) =>
    withHead(engine, journal, workspaceId, events, work);
  return {
    request: (approval, events, maxPending = Number.POSITIVE_INFINITY) =>
      locked(async (transaction, record) => {
        const inside = scoped(transaction, workspaceId);
        const row = fromApproval(approval);
        const same = live(inside, approval.binding, row.requested_at);
        const present = await same.where('status', 'in', ['pending', 'approved']).executeTakeFirst();
        if (present) return { approval: toApproval(present), created: false };
        if ((await getPending(inside, row)) >= maxPending) throw tooMany(maxPending);
        await inside.insertInto('approvals', row).execute();
        record();
        return { approval: toApproval(row), created: true };
      }, events),
    async find(id) {
      const row = await scope.selectFrom('approvals').selectAll().where('id', '=', id).executeTakeFirst();
      return row && toApproval(row);
    },
    async requireRoom({ principal, now, maxPending }) {
      const asked = { principal: encodePrincipal(principal), requested_at: encodeTime(now) };
      if ((await getPending(scope, asked)) >= maxPending) throw tooMany(maxPending);
    },
    async findByBinding(binding, now) {
      const row = await live(scope, binding, encodeTime(now)).where('status', 'not in', over).executeTakeFirst();
      return row && toApproval(row);
    },
    async list({ status, before, limit = defaultLimit, ...filter }) {
      let query = restrict(engine, scope.selectFrom('approvals').selectAll(), filter);
      if (status === 'decided') query = query.where('status', '!=', 'pending');
      else if (status !== undefined) query = query.where('status', '=', status);
      if (before !== undefined) {
        const from = scope.selectFrom('approvals').select('requested_at').where('id', '=', before);
        const at = (await from.executeTakeFirst())?.requested_at;
        // The approval has been deleted since: ids also grow with time.
        query =
          at === undefined
            ? query.where('id', '<', before)
            : query.where((is) =>
                is.or([is('requested_at', '<', at), is.and([is('requested_at', '=', at), is('id', '<', before)])]),
              );
      }
      const newest = query.orderBy('requested_at', 'desc').orderBy('id', 'desc');
      const rows = await newest.limit(Math.max(0, Math.min(limit, maximumLimit))).execute();
      return rows.map(toApproval);
    },
    async count(filter) {
      const counted = scope
        .selectFrom('approvals')
        .select(['status', ({ fn }) => fn.countAll().as('count')])
        .groupBy('status');
      const rows = await restrict(engine, counted, filter).execute();
      const of = (status: ApprovalRow['status']) => Number(rows.find((row) => row.status === status)?.count ?? 0);
      const decided = { approved: of('approved'), rejected: of('rejected'), used: of('used') };
      return { pending: of('pending'), ...decided, withdrawn: of('withdrawn') };
    },
    async findLastApproved({ id, principal, toolkit, tool, connectionId, requestedAt }) {
      const row = await scope
        .selectFrom('approvals')
        .selectAll()
        .where('status', 'in', ['approved', 'used'])
        .where('principal', '=', encodePrincipal(principal))
        .where('toolkit', '=', toolkit)
        .where('tool', '=', tool)
        .where('connection_id', connectionId === undefined ? 'is' : '=', connectionId ?? null)
        .where('requested_at', '<=', encodeTime(requestedAt))
        .where('id', '!=', id)
        .orderBy('requested_at', 'desc')
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row && toApproval(row);
    },
    decide: (decision, events) =>
      locked(async (transaction, record) => {
        const inside = scoped(transaction, workspaceId);
        const at = encodeTime(decision.at);
        const by = encodePrincipal(decision.by);
        const update = inside
          .updateTable('approvals')
          .set({
            status: decision.status,
            decided_at: at,
            decided_by: by,
            decided_through: decision.through,
            note: decision.note ?? null,
          })
          .where('id', '=', decision.id);
        const result = await update.where('status', '=', 'pending').where('expires_at', '>', at).executeTakeFirst();
        if (result.numUpdatedRows !== 1n) return undefined;
        record();
        const row = await inside.selectFrom('approvals').selectAll().where('id', '=', decision.id).executeTakeFirst();
        return row && toApproval(row);
      }, events),
    withdraw: (id, note, events) =>
      locked(async (transaction, record) => {
        const inside = scoped(transaction, workspaceId);
        const update = inside.updateTable('approvals').set({ status: 'withdrawn', note }).where('id', '=', id);
        const result = await update.where('status', '=', 'pending').executeTakeFirst();
        if (result.numUpdatedRows !== 1n) return undefined;
        record();
        const row = await inside.selectFrom('approvals').selectAll().where('id', '=', id).executeTakeFirst();
        return row && toApproval(row);
      }, events),
  };
}

function restrict<O>(
  { kind }: Engine,
  all: SelectQueryBuilder<Schema, 'approvals', O>,
  { toolkit, tool, actor, connection, connections, accountsOnly = false, pendingAt }: ApprovalsFilter & ApprovalScope,
): SelectQueryBuilder<Schema, 'approvals', O> {
  let rows = all;
  if (toolkit !== undefined) rows = rows.where('toolkit', '=', toolkit);
  if (tool !== undefined) rows = rows.where('tool', '=', tool);
  if (connection !== undefined) rows = rows.where('connection_id', '=', connection);
  if (actor !== undefined) {
    // The principal is stored as JSON with its id.
    const position = kind === 'postgres' ? sql.raw('strpos') : sql.raw('instr');
    rows = rows.where(sql<boolean>`${position}(principal, ${`"id":${JSON.stringify(actor)}`}) > 0`);
  }
  if (pendingAt !== undefined)
    rows = rows.where((is) => is.or([is('status', '!=', 'pending'), is('expires_at', '>', encodeTime(pendingAt))]));
  if (connections === undefined) return rows;
  return rows.where((is) =>
    is.or([...(accountsOnly ? [] : [is('connection_id', 'is', null)]), isOneOf(kind, connections)]),
  );
}

/** As one parameter: a workspace may have more accounts than a statement may have parameters. */
function isOneOf(kind: Engine['kind'], connections: readonly string[]): RawBuilder<boolean> {
  const list = JSON.stringify(connections);
  return kind === 'postgres'
    ? sql`connection_id in (select jsonb_array_elements_text(${list}::jsonb))`
    : sql`connection_id in (select value from json_each(${list}))`;
}

type Events = Parameters<ApprovalTable['request']>[1];
