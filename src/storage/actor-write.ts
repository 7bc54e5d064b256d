/**
 * Writes what events did to actors. The first statement of a write is its guard: if the actor or its line is no longer as it
 * was read, that statement changes nothing, and nothing else of the write is made.
 */
import type { ActorChanges, ActorLease, ActorWrite, ActorWriteOutcome } from '../domain/actor-storage.js';
import { outermost, snapshotColumns } from './actor-rows.js';
import { type StatementTexts, sendStatement } from './actor-statements.js';
import { encodeJson, encodeTime } from './codec.js';
import type { DatabaseKind, Steps } from './engine.js';

/** How many of its last events an actor keeps for good. */
const keptEvents = 50;
/** How long the others are kept, and with them the knowledge that an event with their id was accepted. */
const keptMs = 30 * 24 * 3_600_000;

export interface WriteParts {
  readonly kind: DatabaseKind;
  readonly texts: StatementTexts;
}

export function* holdsLease(texts: StatementTexts, { owner, number }: ActorLease): Steps<boolean> {
  const { rows } = yield { sql: texts.holdLease, parameters: [owner, number] };
  return rows.length === 1;
}

export function* writeAll(
  parts: WriteParts,
  lease: ActorLease,
  writes: readonly ActorWrite[],
): Steps<ActorWriteOutcome[]> {
  if (!(yield* holdsLease(parts.texts, lease))) return writes.map(() => 'lost');
  const outcomes: ActorWriteOutcome[] = [];
  for (const write of writes) outcomes.push(yield* writeOne(parts, write));
  return outcomes;
}

function* writeOne(parts: WriteParts, write: ActorWrite): Steps<ActorWriteOutcome> {
  const { texts } = parts;
  const { actor, version, position, eventId, outcome } = write;
  const at = encodeTime(write.at);
  if ('setAside' in outcome) {
    const guard = [at, actor.number, version, position, eventId];
    if ((yield { sql: texts.setAside, parameters: guard }).changes !== 1) return yield* explain(texts, write);
    yield { sql: texts.markSetAside, parameters: [outcome.setAside, at, expiry(at), position] };
    return 'written';
  }
  const { state, status, snapshot } = snapshotColumns(outcome.snapshot);
  const guard = [state, status, snapshot, at, actor.number, version, position, eventId];
  if ((yield { sql: texts.apply, parameters: guard }).changes !== 1) return yield* explain(texts, write);
  const value = encodeJson(outcome.snapshot.value);
  yield { sql: texts.markApplied, parameters: [version + 1, value, at, position] };
  if (version >= keptEvents) yield { sql: texts.age, parameters: [expiry(at), actor.number, version + 1 - keptEvents] };
  yield* writeChanges(parts, write, outcome);
  return 'written';
}

const expiry = (at: string): string => new Date(Date.parse(at) + keptMs).toISOString();

/** The same process may have written it before, and lost the answer. */
function* explain(texts: StatementTexts, { actor, version, eventId, outcome }: ActorWrite): Steps<ActorWriteOutcome> {
  const { rows } = yield { sql: texts.handled, parameters: [actor.number, eventId] };
  const [row] = rows;
  if (!row) return 'stale';
  const isSame = 'setAside' in outcome ? row.status === 'set_aside' : Number(row.version) === version + 1;
  return isSame ? 'repeated' : 'stale';
}

function* writeChanges(
  { kind, texts }: WriteParts,
  { actor, at }: ActorWrite,
  { starts, sends, timers, work }: ActorChanges,
): Steps<void> {
  const { number, address } = actor;
  const { workspaceId } = address;
  for (const { actor: started, snapshot } of starts) {
    const columns = [outermost(snapshot.value), snapshot.status, encodeJson(snapshot), encodeTime(at)];
    yield { sql: texts.startActor, parameters: [workspaceId, started.kind, started.id, ...columns] };
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
