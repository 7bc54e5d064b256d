/**
 * Asks for turns of actors. Events that are accepted while it asks for a turn of their actor share the next request: one
 * turn handles all events that wait, so a request that is sent after an event was stored is enough.
 */
import type { ActorAddress } from '../../domain/actor-host.js';
import { actorKey } from './services.js';

interface Request {
  readonly done: Promise<void>;
  /** The one that follows, for events that were accepted meanwhile. */
  next?: Promise<void>;
}

/** `ask` never rejects. */
export function createWakes(ask: (actor: ActorAddress) => Promise<void>) {
  const asking = new Map<string, Request>();

  function begin(key: string, actor: ActorAddress): Promise<void> {
    const asked: Request = {
      done: ask(actor).then(() => {
        if (asking.get(key) === asked && !asked.next) asking.delete(key);
      }),
    };
    asking.set(key, asked);
    return asked.done;
  }

  /** Resolves when a request that was sent after this call has been answered. */
  return (actor: ActorAddress): Promise<void> => {
    const key = actorKey(actor);
    const asked = asking.get(key);
    if (!asked) return begin(key, actor);
    asked.next ??= asked.done.then(() => begin(key, actor));
    return asked.next;
  };
}
