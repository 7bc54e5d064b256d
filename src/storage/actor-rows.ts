/** Converts actors, their events and their work to rows and back. */
import { factsOf } from '../domain/actor-facts.js';
import type { ActorEventView, ActorSnapshot, ActorView, ActorWorkView } from '../domain/actor-host.js';
import type { StoredActor } from '../domain/actor-storage.js';
import type { JsonValue } from '../domain/json.js';
import { defined } from '../util/defined.js';
import type { ActorInboxRow, ActorRow, ActorWorkRow } from './actor-schema.js';
import { decodeJson, encodeJson } from './codec.js';

export function snapshotColumns(snapshot: ActorSnapshot) {
  return { state: outermost(snapshot.value), status: snapshot.status, snapshot: encodeJson(snapshot) };
}

/** The columns of a new actor. */
export const newActorColumns = (snapshot: ActorSnapshot) => ({ ...snapshotColumns(snapshot), ...factsOf(snapshot) });

/** `executing` of `{ executing: 'working' }`. */
function outermost(value: ActorSnapshot['value']): string {
  return typeof value === 'string' ? value : (Object.keys(value)[0] ?? '');
}

const optionalJson = (text: string | null): JsonValue | undefined =>
  text === null ? undefined : decodeJson<JsonValue>(text);

export function toStoredActor(
  row: Pick<ActorRow, 'number' | 'workspace_id' | 'kind' | 'id' | 'version' | 'snapshot'>,
): StoredActor {
  return {
    number: Number(row.number),
    address: { workspaceId: row.workspace_id, kind: row.kind, id: row.id },
    version: Number(row.version),
    snapshot: decodeJson(row.snapshot),
  };
}

export function toActor(row: ActorRow): Omit<ActorView, 'timers' | 'work' | 'events'> {
  return {
    actor: { workspaceId: row.workspace_id, kind: row.kind, id: row.id },
    snapshot: decodeJson(row.snapshot),
    version: Number(row.version),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    ...defined({ lastHeartbeat: row.heartbeat_at ?? undefined, progress: optionalJson(row.progress) }),
  };
}

export function toActorWork(row: ActorWorkRow): ActorWorkView {
  return {
    name: row.name,
    id: row.id,
    attempt: Math.max(1, Number(row.attempt)),
    startedAt: row.started_at ?? row.created_at,
    ...defined({ lastHeartbeat: row.heartbeat_at ?? undefined, progress: optionalJson(row.progress) }),
  };
}

export function toActorEvent(row: ActorInboxRow): ActorEventView {
  return {
    id: row.event_id,
    event: decodeJson(row.event),
    at: row.handled_at ?? '',
    ...(row.value === null ? {} : { value: decodeJson<ActorSnapshot['value']>(row.value) }),
    ...defined({ setAside: row.reason ?? undefined }),
  };
}
