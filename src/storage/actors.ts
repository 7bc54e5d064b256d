/** Access to the actors of one workspace, for doors. */
import { sql } from 'kysely';
import type { ActorRef, ActorsQuery, ActorView } from '../domain/actor-host.js';
import type { ActorCount, ActorPlace, ActorTable } from '../domain/actor-storage.js';
import type { JsonValue } from '../domain/json.js';
import { defined } from '../util/defined.js';
import { newActorColumns, toActor, toActorEvent, toActorWork } from './actor-rows.js';
import type { ActorRow } from './actor-schema.js';
import { keptEvents, sendStatement } from './actor-statements.js';
import { encodeOptionalJson, encodeTime } from './codec.js';
import { type Engine, readTogether } from './engine.js';
import { type Scope, scoped } from './scope.js';

const defaultPage = 50;
const largestPage = 200;

export function createActors(engine: Engine, workspaceId: string): ActorTable {
  const scope = scoped(engine.db, workspaceId);
  const now = async (): Promise<string> => encodeTime((await engine.now()).toISOString());
  return {
    async insert({ kind, id }, snapshot) {
      const at = await now();
      const row = { kind, id, version: 0, handled: 0, ...newActorColumns(snapshot), created_at: at, updated_at: at };
      const insert = scope.insertInto('actors', { ...row, heartbeat_at: null, progress: null } as Omit<
        ActorRow,
        'workspace_id'
      >);
      const result = await insert.onConflict((conflict) => conflict.doNothing()).executeTakeFirst();
      return result.numInsertedOrUpdatedRows === 1n;
    },
    async send({ to, id, event, delayMs = 0 }) {
      const dueAt = delayMs > 0 ? new Date((await engine.now()).getTime() + delayMs).toISOString() : undefined;
      const isSent = await engine.run(function* () {
        const sent = { to, id, event, ...defined({ dueAt }) };
        const { changes } = yield sendStatement(engine.kind, workspaceId, sent);
        return changes === 1;
      });
      if (isSent) return 'accepted';
      return (await findRow(scope, to)) ? 'known' : 'no_actor';
    },
    find: (actor) => readTogether(engine.db, (transaction) => findActor(scoped(transaction, workspaceId), actor)),
    async countHandled({ kind, id }) {
      const query = scope.selectFrom('actors').select('handled').where('kind', '=', kind).where('id', '=', id);
      const row = await query.executeTakeFirst();
      return row && Number(row.handled);
    },
    list: (query) => listActors(scope, query),
    countWithin: (place) => countWithin(scope, place),
    async heartbeat({ kind, id }, progress) {
      const update = scope.updateTable('actors').set(beat(await now(), progress));
      const result = await update.where('kind', '=', kind).where('id', '=', id).executeTakeFirst();
      return result.numUpdatedRows === 1n;
    },
    async remove({ kind, id }) {
      const result = await scope.deleteFrom('actors').where('kind', '=', kind).where('id', '=', id).executeTakeFirst();
      return result.numDeletedRows === 1n;
    },
    async noteExecution(actor, { executionId, tool, at }) {
      const found = await findRow(scope, actor);
      if (!found) return false;
      const row = { actor: Number(found.number), execution_id: executionId, tool, at: encodeTime(at) };
      const insert = scope.insertInto('actor_executions', row).onConflict((conflict) => conflict.doNothing());
      return (await insert.executeTakeFirst()).numInsertedOrUpdatedRows === 1n;
    },
    async executions(actor, limit) {
      const found = await findRow(scope, actor);
      if (!found) return [];
      const query = scope.selectFrom('actor_executions').selectAll().where('actor', '=', found.number);
      const rows = await query.orderBy('at', 'desc').orderBy('execution_id', 'desc').limit(limit).execute();
      return rows.map(({ execution_id, tool, at }) => ({ executionId: execution_id, tool, at }));
    },
  };
}

/** A heartbeat without progress keeps the progress of the previous one. */
function beat(at: string, progress: JsonValue | undefined) {
  return { heartbeat_at: at, ...(progress === undefined ? {} : { progress: encodeOptionalJson(progress) }) };
}

async function findRow(scope: Scope, { kind, id }: ActorRef): Promise<ActorRow | undefined> {
  return scope.selectFrom('actors').selectAll().where('kind', '=', kind).where('id', '=', id).executeTakeFirst();
}

async function findActor(scope: Scope, actor: ActorRef): Promise<{ view: ActorView; handled: number } | undefined> {
  const row = await findRow(scope, actor);
  if (!row) return undefined;
  const inbox = scope.selectFrom('actor_inbox').selectAll().where('actor', '=', row.number);
  const waiting = inbox.where('status', '=', 'waiting').where('timer', 'is not', null);
  const timers = await waiting.orderBy('due_at').orderBy('position').execute();
  const handled = await inbox.where('status', '<>', 'waiting').orderBy('position', 'desc').limit(keptEvents).execute();
  const work = await scope
    .selectFrom('actor_work')
    .selectAll()
    .where('actor', '=', row.number)
    .orderBy('name')
    .execute();
  const view = {
    ...toActor(row),
    // An event without a time is due, and in the line.
    timers: timers.map(({ timer, due_at, event }) => ({
      name: timer ?? '',
      dueAt: due_at ?? row.updated_at,
      event: JSON.parse(event) as ActorView['events'][number]['event'],
    })),
    work: work.map(toActorWork),
    events: handled.reverse().map(toActorEvent),
  };
  return { view, handled: Number(row.handled) };
}

const placeColumns = ['org', 'repo', 'project'] as const;

async function countWithin(scope: Scope, place: ActorPlace): Promise<readonly ActorCount[]> {
  let query = scope.selectFrom('actors').select(['kind', 'state', (is) => is.fn.countAll().as('count')]);
  for (const name of placeColumns) {
    const wanted = place[name];
    if (wanted !== undefined) query = query.where(name, '=', wanted);
  }
  const rows = await query.groupBy(['kind', 'state']).orderBy('kind').orderBy('state').execute();
  return rows.map(({ kind, state, count }) => ({ kind, state, count: Number(count) }));
}

/** The ids of the issues whose words contain the text literally. */
function findIssues(scope: Scope, text: string) {
  const pattern = `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
  return scope.selectFrom('issues').select('id').where(sql<boolean>`searched like ${pattern} escape '\\'`);
}

async function listActors(
  scope: Scope,
  {
    kind,
    state,
    agents,
    person,
    text,
    silentSince,
    after,
    limit = defaultPage,
    ...place
  }: Omit<ActorsQuery, 'workspaceId'>,
) {
  const size = Math.max(1, Math.min(limit, largestPage));
  let query = scope.selectFrom('actors').selectAll();
  if (kind !== undefined) query = query.where('kind', '=', kind);
  if (state !== undefined) query = query.where('state', '=', state);
  for (const name of placeColumns) {
    const wanted = place[name];
    if (wanted !== undefined) query = query.where(name, '=', wanted);
  }
  if (agents !== undefined) query = query.where('agent', 'in', agents);
  if (person !== undefined) query = query.where('person', '=', person);
  if (text !== undefined) query = query.where('id', 'in', findIssues(scope, text)).where('kind', '=', 'issue');
  if (after !== undefined) query = query.where('number', '<', Number(after));
  if (silentSince !== undefined) {
    const silent = scope
      .selectFrom('actor_work')
      .select('actor')
      .where((is) => is(is.fn.coalesce('heartbeat_at', 'started_at', 'created_at'), '<', encodeTime(silentSince)));
    query = query.where('number', 'in', silent);
  }
  const rows = await query
    .orderBy('number', 'desc')
    .limit(size + 1)
    .execute();
  const actors = rows.slice(0, size).map(toActor);
  const last = rows.length > size ? rows[size - 1] : undefined;
  return { actors, ...(last ? { next: String(last.number) } : {}) };
}
