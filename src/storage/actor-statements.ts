/**
 * The statements of the hot path of actors, as texts created once. Parameters are written `?1`, `?2`, … as in SQLite;
 * PostgreSQL uses `$1`.
 */
import type { SentActorEvent } from '../domain/actor-storage.js';
import { encodeJson, encodeOptionalTime } from './codec.js';
import type { DatabaseKind, Statement } from './engine.js';

/** Number of its last events that an actor keeps permanently. */
export const keptEvents = 50;

const texts = {
  send: `insert into actor_inbox (workspace_id, actor, event_id, event, due_at, status)
    select workspace_id, number, cast(?4 as text), cast(?5 as text), cast(?6 as text), 'waiting' from actors
    where workspace_id = ?1 and kind = ?2 and id = ?3 on conflict do nothing`,
  readLease: 'select owner, number, until from actor_driver where one = 1',
  holdLease: 'select 1 as held from actor_driver where one = 1 and owner = ?1 and number = ?2',
  due: `select i.position, i.event_id, i.event, a.number, a.workspace_id, a.kind, a.id, a.version, a.snapshot
    from actor_inbox i join actors a on a.number = i.actor
    where i.status = 'waiting' and i.due_at is null order by i.position limit cast(?1 as bigint)`,
  eventAt: `select min(due_at) as at from actor_inbox where status = 'waiting' and due_at is not null`,
  apply: `update actors set version = version + 1, handled = handled + 1, state = ?1, status = ?2, snapshot = ?3,
      updated_at = ?4
    where number = ?5 and version = ?6 and exists (select 1 from actor_inbox
      where position = ?7 and actor = ?5 and event_id = ?8 and status = 'waiting' and due_at is null)`,
  setAside: `update actors set handled = handled + 1, updated_at = ?1
    where number = ?2 and version = ?3 and exists (select 1 from actor_inbox
      where position = ?4 and actor = ?2 and event_id = ?5 and status = 'waiting' and due_at is null)`,
  markApplied: `update actor_inbox set status = 'applied', version = ?1, value = ?2, handled_at = ?3 where position = ?4`,
  markSetAside: `update actor_inbox set status = 'set_aside', reason = ?1, handled_at = ?2, expires_at = ?3 where position = ?4`,
  handled: `select status, version from actor_inbox where actor = ?1 and event_id = ?2 and status <> 'waiting'`,
  age: `update actor_inbox set expires_at = ?1 where position = (select position from actor_inbox
    where actor = ?2 and status <> 'waiting' order by position desc limit 1 offset ${keptEvents})`,
  setFacts: 'update actors set org = ?1, repo = ?2, project = ?3, agent = ?4, person = ?5 where number = ?6',
  startActor: `insert into actors (workspace_id, kind, id, version, handled, state, status, snapshot, created_at, updated_at,
      org, repo, project, agent, person)
    values (?1, ?2, ?3, 0, 0, ?4, ?5, ?6, ?7, ?7, ?8, ?9, ?10, ?11, ?12) on conflict do nothing`,
  clearTimer: `delete from actor_inbox where actor = ?1 and timer = ?2 and status = 'waiting'`,
  setTimer: `insert into actor_inbox (workspace_id, actor, event_id, event, due_at, timer, status)
    values (?1, ?2, ?3, ?4, ?5, ?6, 'waiting') on conflict do nothing`,
  stopWork: 'delete from actor_work where actor = ?1 and name = ?2',
  beginWork: `insert into actor_work (workspace_id, actor, name, id, input, attempt, failures, created_at, due_at)
    values (?1, ?2, ?3, ?4, ?5, 0, 0, ?6, ?6)`,
  claimWork:
    'update actor_work set attempt = attempt + 1, due_at = null, started_at = ?1, heartbeat_at = null where id = ?2',
  endWork: 'delete from actor_work where actor = ?1 and id = ?2 and attempt = ?3',
  pauseWork: 'update actor_work set due_at = ?1, failures = ?2 where actor = ?3 and id = ?4 and attempt = ?5',
} as const;

const postgresOnly: Partial<Record<StatementName, string>> = {
  // A process that wants to take the lease waits for this transaction.
  holdLease: `${texts.holdLease} for share`,
};

export type StatementName = keyof typeof texts;

export type StatementTexts = Readonly<Record<StatementName, string>>;

function forKind(kind: DatabaseKind): StatementTexts {
  if (kind === 'sqlite') return texts;
  const all = { ...texts, ...postgresOnly };
  return Object.fromEntries(
    Object.entries(all).map(([name, text]) => [name, text.replaceAll('?', '$')]),
  ) as StatementTexts;
}

const byKind: Readonly<Record<DatabaseKind, StatementTexts>> = {
  sqlite: forKind('sqlite'),
  postgres: forKind('postgres'),
};

export const statementTexts = (kind: DatabaseKind): StatementTexts => byKind[kind];

/**
 * The nth and following parameters of a statement as a list: `(?3, ?4)`. Without parameters, the list contains only the
 * empty text.
 */
export function listOf(kind: DatabaseKind, count: number, first: number): string {
  const mark = kind === 'sqlite' ? '?' : '$';
  return count === 0
    ? `('')`
    : `(${Array.from({ length: count }, (_, index) => `${mark}${first + index}`).join(', ')})`;
}

export function sendStatement(kind: DatabaseKind, workspaceId: string, sent: SentActorEvent): Statement {
  const { to, id, event, dueAt } = sent;
  const parameters = [workspaceId, to.kind, to.id, id, encodeJson(event), encodeOptionalTime(dueAt)];
  return { sql: byKind[kind].send, parameters };
}
