/**
 * Writes the effects of events on actors. The first statement of a write is its guard: if the actor or its line has
 * changed since it was read, that statement changes nothing, and the rest of the write is not made.
 */
import type { ActorChanges, ActorLease, ActorWrite, ActorWriteOutcome } from '../domain/actor-storage.js';
import { newActorColumns, snapshotColumns } from './actor-rows.js';
import { keptEvents, type StatementTexts, sendStatement, statementTexts } from './actor-statements.js';
import { encodeJson, encodeTime } from './codec.js';
import type { DatabaseKind, Statement, Steps } from './engine.js';

/** How long further events are stored. As long as an event is stored, a second one with its id is recognised. */
const keptMs = 30 * 24 * 3_600_000;

interface PreparedWrite {
  readonly write: ActorWrite;
  readonly guard: Statement;
  readonly others: readonly Statement[];
}

export function* holdsLease(texts: StatementTexts, { owner, number }: ActorLease): Steps<boolean> {
  const { rows } = yield { sql: texts.holdLease, parameters: [owner, number] };
  return rows.length === 1;
}

/** Makes the statements of a write, before any transaction. Throws for what is not JSON. */
export function prepareWrite(kind: DatabaseKind, write: ActorWrite): PreparedWrite {
  const texts = statementTexts(kind);
  const { actor, version, position, eventId, outcome } = write;
  const at = encodeTime(write.at);
  if ('setAside' in outcome) {
    const guard = { sql: texts.setAside, parameters: [at, actor.number, version, position, eventId] };
    const mark = { sql: texts.markSetAside, parameters: [outcome.setAside, at, expiry(at), position] };
    return { write, guard, others: [mark] };
  }
  const { state, status, snapshot } = snapshotColumns(outcome.snapshot);
  const parameters = [state, status, snapshot, at, actor.number, version, position, eventId];
  const value = encodeJson(outcome.snapshot.value);
  const others: Statement[] = [{ sql: texts.markApplied, parameters: [version + 1, value, at, position] }];
  if (version >= keptEvents) others.push({ sql: texts.age, parameters: [expiry(at), actor.number] });
  others.push(...changeStatements(kind, write, outcome));
  return { write, guard: { sql: texts.apply, parameters }, others };
}

export function* writeAll(
  texts: StatementTexts,
  lease: ActorLease,
  writes: readonly PreparedWrite[],
): Steps<ActorWriteOutcome[]> {
  if (!(yield* holdsLease(texts, lease))) return writes.map(() => 'lost');
  const outcomes: ActorWriteOutcome[] = [];
  // A write that follows a refused one was decided from a state that never existed, even if its version number fits.
  const stale = new Set<number>();
  for (const { write, guard, others } of writes) {
    const { number } = write.actor;
    let outcome: ActorWriteOutcome = 'stale';
    if (!stale.has(number)) outcome = (yield guard).changes === 1 ? 'written' : yield* explain(texts, write);
    if (outcome === 'written') for (const statement of others) yield statement;
    if (outcome === 'stale') stale.add(number);
    outcomes.push(outcome);
  }
  return outcomes;
}

const expiry = (at: string): string => new Date(Date.parse(at) + keptMs).toISOString();

/** The same process may have written it before without receiving the answer. */
function* explain(texts: StatementTexts, { actor, version, eventId, outcome }: ActorWrite): Steps<ActorWriteOutcome> {
  const { rows } = yield { sql: texts.handled, parameters: [actor.number, eventId] };
  const [row] = rows;
  if (!row) return 'stale';
  const isSame = 'setAside' in outcome ? row.status === 'set_aside' : Number(row.version) === version + 1;
  return isSame ? 'repeated' : 'stale';
}

function* changeStatements(
  kind: DatabaseKind,
  { actor, at }: ActorWrite,
  { starts, sends, timers, work, facts }: ActorChanges,
): Iterable<Statement> {
  const texts = statementTexts(kind);
  const { number, address } = actor;
  const { workspaceId } = address;
  if (facts) {
    const { org, repo, project, agent, person } = facts;
    yield { sql: texts.setFacts, parameters: [org, repo, project, agent, person, number] };
  }
  for (const { actor: started, snapshot } of starts) {
    const { state, status, snapshot: text, org, repo, project, agent, person } = newActorColumns(snapshot);
    const who = [org, repo, project, agent, person];
    const parameters = [workspaceId, started.kind, started.id, state, status, text, encodeTime(at), ...who];
    yield { sql: texts.startActor, parameters };
  }
  for (const sent of sends) yield sendStatement(kind, workspaceId, sent);
  for (const { name, set } of timers) {
    yield { sql: texts.clearTimer, parameters: [number, name] };
    if (!set) continue;
    const parameters = [workspaceId, number, set.id, encodeJson(set.event), encodeTime(set.dueAt), name];
    yield { sql: texts.setTimer, parameters };
  }
  for (const { name, begin } of work) {
    yield { sql: texts.stopWork, parameters: [number, name] };
    if (!begin) continue;
    const parameters = [workspaceId, number, name, begin.id, encodeJson(begin.input), encodeTime(at)];
    yield { sql: texts.beginWork, parameters };
  }
}
