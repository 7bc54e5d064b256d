/** Access to the actors of all workspaces, for the process that drives them. */
import type { ActorDriverTable, ActorLease, ActorWorkEnd, DueActors } from '../domain/actor-storage.js';
import { defined } from '../util/defined.js';
import { listOf, statementTexts } from './actor-statements.js';
import { admitText, claimOne, findDueOf, findUnfinished, toClaimed, toDueEvent } from './actor-turns.js';
import { holdsLease, prepareWrite, writeAll } from './actor-write.js';
import { encodeJson, encodeOptionalJson, encodeTime } from './codec.js';
import { type Engine, type Parameter, readNow, type Steps } from './engine.js';

export function createActorDriver(engine: Engine): ActorDriverTable {
  const { db, kind } = engine;
  const texts = statementTexts(kind);
  const after = (now: Date, ms: number): string => encodeTime(new Date(now.getTime() + ms).toISOString());
  return {
    async look() {
      const rows = await readNow(db, { sql: texts.readLease, parameters: [] });
      const hasActors = await db.selectFrom('actors').select('number').limit(1).executeTakeFirst();
      return {
        now: await engine.now(),
        hasActors: hasActors !== undefined,
        ...defined({ lease: rows.map(toLease)[0] }),
      };
    },
    async take({ owner, ms, seen }) {
      const until = after(await engine.now(), ms);
      if (!seen) {
        const row = { one: 1, owner, number: 1, until };
        const insert = db
          .insertInto('actor_driver')
          .values(row)
          .onConflict((conflict) => conflict.doNothing());
        const result = await insert.executeTakeFirst();
        return result.numInsertedOrUpdatedRows === 1n ? { owner, number: 1, until } : undefined;
      }
      const number = seen.number + 1;
      const update = db.updateTable('actor_driver').set({ owner, number, until }).where('number', '=', seen.number);
      const result = await update.where('until', '=', seen.until).executeTakeFirst();
      return result.numUpdatedRows === 1n ? { owner, number, until } : undefined;
    },
    async renew({ owner, number }, { ms, work }) {
      const until = after(await engine.now(), ms);
      const update = db.updateTable('actor_driver').set({ until }).where('owner', '=', owner);
      if ((await update.where('number', '=', number).executeTakeFirst()).numUpdatedRows !== 1n) return undefined;
      if (work.length === 0) return [];
      const present = await db.selectFrom('actor_work').select('id').where('id', 'in', work).execute();
      const ids = new Set(present.map(({ id }) => id));
      return work.filter((id) => !ids.has(id));
    },
    async release({ owner, number }) {
      // The number stays in the store, because the next one must be higher.
      const update = db.updateTable('actor_driver').set({ owner: '', until: '' }).where('owner', '=', owner);
      await update.where('number', '=', number).execute();
    },
    due: (question) => findDue(engine, question),
    admit: (lease, { now, limit }) =>
      engine.run(function* () {
        if (!(yield* holdsLease(texts, lease))) return;
        const { rows } = yield dueStatement(kind, encodeTime(now.toISOString()), limit);
        for (const { position } of rows) yield { sql: admitText[kind], parameters: [Number(position)] };
      }),
    dueOf: (lease, actor, limit) => findDueOf(engine, lease, { actor, limit }),
    unfinished: (limit) => findUnfinished(engine, limit),
    claim: (lease, work) => claimOne(engine, lease, work),
    async write(lease, writes) {
      const prepared = writes.map((write) => prepareWrite(kind, write));
      return engine.run(() => writeAll(texts, lease, prepared));
    },
    claimWork: (lease, question) =>
      engine.run(function* () {
        if (!(yield* holdsLease(texts, lease))) return [];
        const { names, running, limit } = question;
        const now = encodeTime(question.now.toISOString());
        const { rows } = yield {
          sql: `select w.actor, w.id as work_id, w.name, w.input, w.attempt, w.failures, a.workspace_id, a.kind, a.id
            from actor_work w join actors a on a.number = w.actor
            where (w.due_at is null or w.due_at <= ${listOf(kind, 1, 1)}) and w.name in ${listOf(kind, names.length, 3)}
              and w.id not in ${listOf(kind, running.length, 3 + names.length)}
            order by w.due_at, w.id limit cast(${listOf(kind, 1, 2)} as bigint)`,
          parameters: [now, limit, ...names, ...running],
        };
        const claimed = rows.map(toClaimed);
        for (const { id } of claimed) yield { sql: texts.claimWork, parameters: [now, id] };
        return claimed;
      }),
    endWork: (lease, end) => engine.run(() => endWork(engine, lease, end)),
    async beatWork({ actor, id, attempt }, progress) {
      const heartbeat_at = encodeTime((await engine.now()).toISOString());
      const set = { heartbeat_at, ...(progress === undefined ? {} : { progress: encodeOptionalJson(progress) }) };
      const update = db.updateTable('actor_work').set(set).where('actor', '=', actor).where('id', '=', id);
      const result = await update.where('attempt', '=', attempt).executeTakeFirst();
      if (result.numUpdatedRows !== 1n) return false;
      await db.updateTable('actors').set(set).where('number', '=', actor).execute();
      return true;
    },
  };
}

const dueStatement = (kind: Engine['kind'], now: string, limit: number) => ({
  sql: `select position from actor_inbox where status = 'waiting' and due_at is not null and due_at <= ${listOf(kind, 1, 1)}
    order by due_at, position limit cast(${listOf(kind, 1, 2)} as bigint)`,
  parameters: [now, limit],
});

async function findDue(
  engine: Engine,
  { limit, work, running }: Parameters<ActorDriverTable['due']>[0],
): Promise<DueActors> {
  const { db, kind } = engine;
  const texts = statementTexts(kind);
  const read = async (sql: string, parameters: readonly Parameter[]) => readNow(db, { sql, parameters });
  const events = await read(texts.due, [limit]);
  const [timer] = await read(texts.eventAt, []);
  const next = `select min(coalesce(due_at, created_at)) as at from actor_work where name in ${listOf(kind, work.length, 1)}
    and id not in ${listOf(kind, running.length, 1 + work.length)}`;
  const [job] = work.length === 0 ? [] : await read(next, [...work, ...running]);
  return {
    now: await engine.now(),
    events: events.map(toDueEvent),
    ...defined({ eventAt: toTime(timer?.at), workAt: toTime(job?.at) }),
  };
}

const toTime = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

function toLease(row: Record<string, unknown>): ActorLease {
  return { owner: String(row.owner), number: Number(row.number), until: String(row.until) };
}

function* endWork({ kind }: Engine, lease: ActorLease, end: ActorWorkEnd): Steps<boolean> {
  const texts = statementTexts(kind);
  if (!(yield* holdsLease(texts, lease))) return false;
  const { actor, id, attempt, address } = end.work;
  if ('againAt' in end) {
    const parameters = [encodeTime(end.againAt), end.failures, actor, id, attempt];
    yield { sql: texts.pauseWork, parameters };
    return true;
  }
  const { changes } = yield { sql: texts.endWork, parameters: [actor, id, attempt] };
  if (changes !== 1 || !end.event) return true;
  const parameters = [address.workspaceId, address.kind, address.id, `work:${id}`, encodeJson(end.event), null];
  yield { sql: texts.send, parameters };
  return true;
}
