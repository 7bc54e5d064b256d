/**
 * Reads for a host that runs one actor at a time: the events of one actor, one piece of work, and what remains to be
 * done.
 */
import type { ActorAddress } from '../domain/actor-host.js';
import type {
  ActorLease,
  ClaimedWork,
  DueActorEvent,
  DueActors,
  UnfinishedActors,
  WorkAddress,
} from '../domain/actor-storage.js';
import { toStoredActor } from './actor-rows.js';
import type { ActorRow } from './actor-schema.js';
import { listOf, statementTexts } from './actor-statements.js';
import { holdsLease } from './actor-write.js';
import { decodeJson, encodeTime } from './codec.js';
import { type Engine, readNow } from './engine.js';

/** At the end of the line. */
export const admitText = {
  sqlite: `update actor_inbox set due_at = null, position = (select max(position) + 1 from actor_inbox)
    where position = ?1 and due_at is not null`,
  postgres: `update actor_inbox set due_at = null, position = nextval(pg_get_serial_sequence('actor_inbox', 'position'))
    where position = $1 and due_at is not null`,
} as const;

const mark = (kind: Engine['kind'], text: string): string => (kind === 'sqlite' ? text : text.replaceAll('?', '$'));

const ofActor = 'a.workspace_id = ?1 and a.kind = ?2 and a.id = ?3';

export async function findDueOf(
  engine: Engine,
  lease: ActorLease,
  { actor, limit }: { readonly actor: ActorAddress; readonly limit: number },
): Promise<Pick<DueActors, 'now' | 'events' | 'eventAt'> | undefined> {
  const { kind } = engine;
  const now = await engine.now();
  const address = [actor.workspaceId, actor.kind, actor.id];
  const timers = `select i.position from actor_inbox i join actors a on a.number = i.actor where ${ofActor}
    and i.status = 'waiting' and i.due_at is not null and i.due_at <= ?4 order by i.due_at, i.position`;
  const line = `select i.position, i.event_id, i.event, a.number, a.workspace_id, a.kind, a.id, a.version, a.snapshot
    from actor_inbox i join actors a on a.number = i.actor where ${ofActor}
    and i.status = 'waiting' and i.due_at is null order by i.position limit cast(?4 as bigint)`;
  const next = `select min(i.due_at) as at from actor_inbox i join actors a on a.number = i.actor where ${ofActor}
    and i.status = 'waiting' and i.due_at is not null`;
  return engine.run(function* () {
    if (!(yield* holdsLease(statementTexts(kind), lease))) return undefined;
    const due = yield { sql: mark(kind, timers), parameters: [...address, encodeTime(now.toISOString())] };
    for (const { position } of due.rows) yield { sql: admitText[kind], parameters: [Number(position)] };
    const { rows } = yield { sql: mark(kind, line), parameters: [...address, limit] };
    const later = yield { sql: mark(kind, next), parameters: address };
    const at = later.rows[0]?.at;
    return { now, events: rows.map(toDueEvent), ...(typeof at === 'string' ? { eventAt: at } : {}) };
  });
}

export async function claimOne(
  engine: Engine,
  lease: ActorLease,
  { actor, name, id }: WorkAddress,
): Promise<ClaimedWork | 'ended' | 'lost'> {
  const { kind } = engine;
  const texts = statementTexts(kind);
  const now = encodeTime((await engine.now()).toISOString());
  const find = `select w.actor, w.id as work_id, w.name, w.input, w.attempt, w.failures, a.workspace_id, a.kind, a.id
    from actor_work w join actors a on a.number = w.actor where ${ofActor} and w.name = ?4 and w.id = ?5`;
  return engine.run(function* () {
    if (!(yield* holdsLease(texts, lease))) return 'lost';
    const parameters = [actor.workspaceId, actor.kind, actor.id, name, id];
    const { rows } = yield { sql: mark(kind, find), parameters };
    const [row] = rows;
    if (!row) return 'ended';
    yield { sql: texts.claimWork, parameters: [now, id] };
    return toClaimed(row);
  });
}

export async function findUnfinished({ db, kind, now }: Engine, limit: number): Promise<UnfinishedActors> {
  const at = encodeTime((await now()).toISOString());
  const address = 'a.workspace_id, a.kind, a.id';
  const size = `limit cast(${listOf(kind, 1, 1)} as bigint)`;
  const time = listOf(kind, 1, 2);
  const inbox = `select i.position, ${address} from actor_inbox i join actors a on a.number = i.actor where i.status = 'waiting'`;
  const line = await readNow(db, {
    sql: `${inbox} and i.due_at is null order by i.position ${size}`,
    parameters: [limit],
  });
  const timers = await readNow(db, {
    sql: `${inbox} and i.due_at is not null and i.due_at <= ${time} order by i.due_at ${size}`,
    parameters: [limit, at],
  });
  const work = await readNow(db, {
    sql: `select w.id as work_id, w.name, ${address} from actor_work w join actors a on a.number = w.actor
      where w.due_at is null or w.due_at <= ${time} order by w.id ${size}`,
    parameters: [limit, at],
  });
  return {
    events: [...line, ...timers].map((row) => ({ actor: toAddress(row), position: Number(row.position) })),
    work: work.map((row) => ({ actor: toAddress(row), name: String(row.name), id: String(row.work_id) })),
  };
}

function toAddress(row: Record<string, unknown>): ActorAddress {
  const { workspace_id, kind, id } = row as unknown as ActorRow;
  return { workspaceId: workspace_id, kind, id };
}

export function toDueEvent(row: Record<string, unknown>): DueActorEvent {
  return {
    position: Number(row.position),
    id: String(row.event_id),
    event: decodeJson(String(row.event)),
    actor: toStoredActor(row as unknown as ActorRow),
  };
}

export function toClaimed(row: Record<string, unknown>): ClaimedWork {
  return {
    actor: Number(row.actor),
    address: toAddress(row),
    id: String(row.work_id),
    name: String(row.name),
    input: decodeJson(String(row.input)),
    attempt: Number(row.attempt) + 1,
    failures: Number(row.failures),
  };
}
