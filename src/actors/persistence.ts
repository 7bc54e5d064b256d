/**
 * The one way from an actor to the store: its state, the calls that it made, and the accounts that it may use. A store that
 * fails is asked again, with waits that grow from a tenth of a second to more than a minute; a long one is cut short once if the
 * store answers meanwhile. A write that was made although its answer was lost
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
  /** How often the store is asked during a longer wait whether it is back, in milliseconds. Default 1,000. */
  readonly watchMs?: number;
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
  const { storage, waits, random = Math.random, wait = pause, watchMs = 1_000 } = options;
  const closing = new AbortController();
  // Many may wait for the store at the same time.
  setMaxListeners(0, closing.signal);
  const untilBack = createWatch(() => storage.system.actors.look(), watchMs);

  /** Waits, at most until `early`. Returns how much of the time is left, in milliseconds. Throws `shutting_down`. */
  async function rest(ms: number, early?: (signal: AbortSignal) => Promise<void>): Promise<number> {
    if (closing.signal.aborted) throw stopping();
    const since = performance.now();
    const over = new AbortController();
    const ends = [wait(ms, AbortSignal.any([closing.signal, over.signal])).then(() => 0)];
    if (early) ends.push(early(over.signal).then(() => Math.max(0, ms - (performance.now() - since))));
    try {
      return await Promise.race(ends);
    } catch {
      throw stopping();
    } finally {
      over.abort();
    }
  }

  /** Undefined if the store failed. */
  async function tryOnce<T>(work: () => Promise<T>): Promise<{ readonly value: T } | undefined> {
    try {
      return { value: await work() };
    } catch (thrown) {
      if (mayPass(thrown)) return undefined;
      throw thrown;
    }
  }

  /** What is attempted early, because the store seems to be back, leaves the waits as they are if it fails. */
  async function attempt<T>(work: () => Promise<T>): Promise<T> {
    for (const wanted of waits) {
      const done = await tryOnce(work);
      if (done) return done.value;
      const ms = wanted * (1 + spread * (2 * random() - 1));
      const left = await rest(ms, ms > watchMs ? untilBack : undefined);
      if (left === 0) continue;
      const early = await tryOnce(work);
      if (early) return early.value;
      await rest(left);
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

/** Asks the store again and again as long as somebody waits for its answer. */
function createWatch(ask: () => Promise<unknown>, everyMs: number) {
  const waiting = new Set<() => void>();
  let timer: NodeJS.Timeout | undefined;

  async function look(): Promise<void> {
    const isBack = await ask().then(
      () => true,
      () => false,
    );
    if (isBack) for (const tell of waiting) tell();
    if (isBack) waiting.clear();
    timer = undefined;
    again();
  }

  function again(): void {
    if (waiting.size > 0 && !timer) timer = setTimeout(() => void look(), everyMs).unref();
  }

  return (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      waiting.add(resolve);
      signal.addEventListener('abort', () => waiting.delete(resolve), { once: true });
      again();
    });
}

/** A store that is gone may come back; any other failure is an answer. */
const mayPass = (thrown: unknown): boolean => thrown instanceof HelveError && thrown.code === 'storage_failed';

const stopping = (): HelveError => new HelveError('shutting_down', 'Helve is stopping');
