/** Sends an event to an actor and waits until it has been applied, so that the caller sees what became of it. */
import type { ActorAddress, ActorEvent, ActorView } from '../../domain/actor-host.js';
import type { Principal } from '../../domain/principal.js';
import { newId } from '../../util/hash.js';
import { issueAddress, type TaskParts } from './parts.js';

/** After this time the answer shows the state before the event, which is then applied later. */
const patienceMs = 5_000;

export interface Applied {
  /** Of the event. */
  readonly id: string;
  /** The actor after it, and perhaps after later ones. */
  readonly view: ActorView;
}

/** Undefined if it has not been applied in time. */
export async function sendTo(
  { actors }: Pick<TaskParts, 'actors'>,
  address: ActorAddress,
  event: ActorEvent,
): Promise<Applied | undefined> {
  const id = newId();
  await actors.send(address, event, { id });
  const stop = AbortSignal.timeout(patienceMs);
  for await (const view of actors.follow(address, stop))
    if (view.events.some((one) => one.id === id)) return { id, view };
  return undefined;
}

export async function sendToIssue(
  parts: Pick<TaskParts, 'actors'>,
  principal: Pick<Principal, 'workspaceId'>,
  { id, event }: { readonly id: string; readonly event: ActorEvent },
): Promise<Applied | undefined> {
  return sendTo(parts, issueAddress(principal, id), event);
}
