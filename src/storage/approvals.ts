/** Approvals. Requesting or deciding one locks the workspace's head, so that each happens once. */
import type { Kysely } from 'kysely';
import { HelveError } from '../domain/errors.js';
import type { ApprovalTable } from '../domain/storage.js';
import { encodePrincipal, encodeTime } from './codec.js';
import type { Engine } from './engine.js';
import type { Journal } from './journal.js';
import { withHead } from './locked.js';
import { fromApproval, toApproval } from './rows.js';
import type { ApprovalRow, Schema } from './schema.js';
import { type Scope, scoped } from './scope.js';

const defaultLimit = 100;
const maximumLimit = 500;

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
      const row = await live(scope, binding, encodeTime(now)).where('status', '!=', 'used').executeTakeFirst();
      return row && toApproval(row);
    },
    async list({ status, limit = defaultLimit, connections }) {
      const all = scope.selectFrom('approvals').selectAll();
      const base =
        connections === undefined
          ? all
          : all.where((is) =>
              is.or([
                is('connection_id', 'is', null),
                ...(connections.length === 0 ? [] : [is('connection_id', 'in', connections)]),
              ]),
            );
      const query = status === undefined ? base : base.where('status', '=', status);
      const newest = query.orderBy('requested_at', 'desc').orderBy('id', 'desc');
      const rows = await newest.limit(Math.max(0, Math.min(limit, maximumLimit))).execute();
      return rows.map(toApproval);
    },
    decide: (decision, events) =>
      locked(async (transaction, record) => {
        const inside = scoped(transaction, workspaceId);
        const at = encodeTime(decision.at);
        const by = encodePrincipal(decision.by);
        const update = inside
          .updateTable('approvals')
          .set({ status: decision.status, decided_at: at, decided_by: by, decided_through: decision.through })
          .where('id', '=', decision.id);
        const result = await update.where('status', '=', 'pending').where('expires_at', '>', at).executeTakeFirst();
        if (result.numUpdatedRows !== 1n) return undefined;
        record();
        const row = await inside.selectFrom('approvals').selectAll().where('id', '=', decision.id).executeTakeFirst();
        return row && toApproval(row);
      }, events),
  };
}

type Events = Parameters<ApprovalTable['request']>[1];
