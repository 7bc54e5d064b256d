/**
 * The one way from an actor to the store: its state, the calls that it made, and the accounts that it may use. A store that
 * fails is asked again, with waits that grow from a tenth of a second to more than a minute. A write that was made although its answer was lost
 * is not made twice: a state is written once for each version of its actor, a call once for each execution.
 */
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ActorAddress } from '../domain/actor-host.js';
import type { ActorExecution, ActorLease, ActorWrite, ActorWriteOutcome } from '../domain/actor-storage.js';
import type { Connection } from '../domain/connection.js';
import { HelveError } from '../domain/errors.js';
import type { Storage } from '../domain/storage.js';

export interface PersistenceOptions {
  readonly storage: Pick<Storage, 'system' | 'workspace'>;
  /** How long to wait after each failed attempt, in milliseconds. After the last wait comes the last attempt. */
  readonly waits: readonly number[];
  /** From 0 to 1; each wait is made up to a fifth shorter or longer by it. */
  readonly random?: () => number;
  /** Waits, in milliseconds; rejects when the signal is aborted. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

export interface Persistence {
  /** Writes what events did to actors, each completely or not at all. Throws `storage_failed` after the last attempt. */
  persistState(lease: ActorLease, writes: readonly ActorWrite[]): Promise<readonly ActorWriteOutcome[]>;
  /** Notes a call that an actor made. False if it was noted before, or there is no such actor. */
  logToolExecution(actor: ActorAddress, execution: ActorExecution): Promise<boolean>;
  /** The accounts of the workspace, in the order of their creation. */
  getConnections(workspaceId: string): Promise<readonly Connection[]>;
  /** Repeats `work` until the store answers. `work` must be idempotent. */
  attempt<T>(work: () => Promise<T>): Promise<T>;
  /** Ends all waits: callers that wait get `shutting_down`. */
  close(): void;
}

const spread = 0.2;

const pause = async (ms: number, signal: AbortSignal): Promise<void> => sleep(ms, undefined, { signal });

/** Creates the service. */
export function createPersistence(options: PersistenceOptions): Persistence {
  const { storage, waits, random = Math.random, wait = pause } = options;
  const closing = new AbortController();
  // Many may wait for the store at the same time.
  setMaxListeners(0, closing.signal);

  async function attempt<T>(work: () => Promise<T>): Promise<T> {
    for (const ms of waits) {
      try {
        return await work();
      } catch (thrown) {
        if (!mayPass(thrown)) throw thrown;
      }
      if (closing.signal.aborted) throw stopping();
      await wait(ms * (1 + spread * (2 * random() - 1)), closing.signal).catch(() => {
        throw stopping();
      });
    }
    return work();
  }

  return {
    attempt,
    persistState: (lease, writes) => attempt(() => storage.system.actors.write(lease, writes)),
    logToolExecution: (actor, execution) =>
      attempt(() => storage.workspace(actor.workspaceId).actors.noteExecution(actor, execution)),
    getConnections: (workspaceId) =>
      attempt(async () => (await storage.workspace(workspaceId).configuration()).connections),
    close: () => closing.abort(),
  };
}

/**
 * Writes what events did, like `persistState`. A write that the store refuses, unlike one that it cannot make now, is set aside
 * like an event that the machine refuses; it alone is, and what came after it is left to the next round.
 */
export async function persistWrites(
  persistence: Persistence,
  lease: ActorLease,
  writes: readonly ActorWrite[],
): Promise<readonly ActorWriteOutcome[]> {
  try {
    return await persistence.persistState(lease, writes);
  } catch (thrown) {
    if (thrown instanceof HelveError && ['storage_failed', 'shutting_down'].includes(thrown.code)) throw thrown;
    const [only, ...others] = writes;
    if (!only) throw thrown;
    // One of them cannot be stored. Alone, it is seen which.
    if (others.length > 0) return await persistWrites(persistence, lease, [only]);
    if ('setAside' in only.outcome) throw thrown;
    return await persistence.persistState(lease, [{ ...only, outcome: { setAside: String(thrown) } }]);
  }
}

/** A store that is gone may come back; any other failure is an answer. */
const mayPass = (thrown: unknown): boolean => thrown instanceof HelveError && thrown.code === 'storage_failed';

const stopping = (): HelveError => new HelveError('shutting_down', 'Helve is stopping');
