/** Those who follow actors in this process: told at once of what this process does, and by a look of what others do. */
import { EventEmitter } from 'node:events';
import type { ActorAddress, ActorView } from '../domain/actor-host.js';
import type { ActorTable } from '../domain/actor-storage.js';

export interface FollowersOptions {
  readonly actors: (workspaceId: string) => ActorTable;
  readonly isDriving: () => boolean;
  /** How often to look for what other processes did, in milliseconds. */
  readonly pollMs: number;
}

/** What this process does itself needs no look; only an actor that another one removed does. */
const slowPollMs = 1_000;

const topic = ({ workspaceId, kind, id }: ActorAddress): string => JSON.stringify([workspaceId, kind, id]);

export function createFollowers({ actors, isDriving, pollMs }: FollowersOptions) {
  const changes = new EventEmitter().setMaxListeners(0);
  const closing = new AbortController();

  /** Resolves when the actor may have changed. */
  function changed(actor: ActorAddress, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const name = topic(actor);
      const end = (): void => {
        clearTimeout(timer);
        changes.off(name, end);
        signal.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, isDriving() ? slowPollMs : pollMs).unref();
      changes.once(name, end);
      signal.addEventListener('abort', end, { once: true });
    });
  }

  return {
    tell: (actor: ActorAddress): void => void changes.emit(topic(actor)),
    async *follow(actor: ActorAddress, signal: AbortSignal | undefined): AsyncGenerator<ActorView> {
      const table = actors(actor.workspaceId);
      const ending = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
      let seen = -1;
      while (!ending.aborted) {
        // Listening begins before reading: what changes in between is not missed.
        const change = changed(actor, ending);
        const handled = await table.countHandled(actor);
        if (handled === undefined) return;
        if (handled !== seen) {
          const found = await table.find(actor);
          if (!found) return;
          seen = found.handled;
          yield found.view;
        }
        await change;
      }
    },
    close: (): void => closing.abort(),
  };
}
