/** The half of an actor host that only reads and writes Helve's store, whichever process or engine gives the actors their turns. */
import type { ActorAddress, ActorHost, ActorMachines } from '../domain/actor-host.js';
import { HelveError } from '../domain/errors.js';
import type { Storage } from '../domain/storage.js';
import { defined } from '../util/defined.js';
import type { createFollowers } from './followers.js';

export interface ActorDoorOptions {
  readonly storage: Pick<Storage, 'workspace'>;
  readonly machines: ActorMachines;
  readonly followers: ReturnType<typeof createFollowers>;
  /** There is a new actor in the store. */
  readonly onStarted: (actor: ActorAddress) => void;
  /** There is a new event in the store; `send` resolves after it. */
  readonly onAccepted: (actor: ActorAddress, delayMs: number | undefined) => Promise<void> | void;
  /** The actor is no longer in the store: its work here ends. */
  readonly onRemoved: (actor: ActorAddress) => void;
}

/** How long work waits after its handler threw, unless a host is told otherwise: from 1 s, doubling, to 1 min. */
export const defaultRetryMs = (failures: number): number => Math.min(60_000, 1_000 * 2 ** (failures - 1));

export function createActorDoor(options: ActorDoorOptions): Omit<ActorHost, 'work'> {
  const { storage, machines, followers, onStarted, onAccepted, onRemoved } = options;
  const actors = (workspaceId: string) => storage.workspace(workspaceId).actors;
  return {
    async start(actor, input) {
      const isNew = await actors(actor.workspaceId).insert(actor, machines[actor.kind].initial(input));
      if (isNew) onStarted(actor);
      return isNew;
    },
    async send(actor, event, { id, delayMs }) {
      const outcome = await actors(actor.workspaceId).send({ to: actor, id, event, ...defined({ delayMs }) });
      if (outcome === 'no_actor') throw missing(actor);
      if (outcome === 'accepted') await onAccepted(actor, delayMs);
      return outcome === 'accepted';
    },
    read: async (actor) => (await actors(actor.workspaceId).find(actor))?.view,
    list: ({ workspaceId, ...query }) => actors(workspaceId).list(query),
    follow: (actor, signal) => followers.follow(actor, signal),
    async heartbeat(actor, progress) {
      if (!(await actors(actor.workspaceId).heartbeat(actor, progress))) throw missing(actor);
    },
    async stop(actor) {
      const isGone = await actors(actor.workspaceId).remove(actor);
      if (isGone) {
        onRemoved(actor);
        followers.tell(actor);
      }
      return isGone;
    },
  };
}

function missing({ kind, id }: ActorAddress): HelveError {
  return new HelveError('not_found', `There is no ${kind} ${JSON.stringify(id)}`);
}
