/** The work that Restate hands to this process: one attempt at a time, with room for some pieces at once. */
import type { ActorAddress } from '../../domain/actor-host.js';
import type { ClaimedWork, WorkAddress } from '../../domain/actor-storage.js';
import { createWorkRunner, graceMs, type WorkRunnerOptions, within } from '../work.js';
import type { createSharedLease } from './lease.js';
import { lost } from './turns.js';

export interface WorkHereOptions extends WorkRunnerOptions {
  readonly lease: ReturnType<typeof createSharedLease>;
  /** How many pieces of work run at the same time. */
  readonly limit: number;
}

interface Running {
  readonly work: ClaimedWork;
  readonly control: AbortController;
}

export function createWorkHere(options: WorkHereOptions) {
  const { table, persistence, lease, limit } = options;
  const runner = createWorkRunner(options);
  const running = new Map<string, Running>();
  const attempts = new Set<Promise<unknown>>();
  const waiting: (() => void)[] = [];
  let free = limit;
  let isClosing = false;

  async function takeRoom(): Promise<void> {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
  }

  function giveRoom(): void {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  }

  function stopWhere(matches: (work: ClaimedWork) => boolean): void {
    for (const { work, control } of running.values()) if (matches(work)) control.abort();
  }

  /** Returns how long to wait before the next attempt, in milliseconds; undefined if the work has ended. */
  async function attempt(address: WorkAddress): Promise<number | undefined> {
    const held = lease.current();
    const work = await persistence.attempt(() => table.claim(held, address));
    if (work === 'lost') throw lost(lease, held);
    if (work === 'ended') return undefined;
    const control = new AbortController();
    running.set(work.id, { work, control });
    try {
      const ended = runner.perform(work, control);
      await Promise.race([ended, graceAfter(control.signal)]);
      // Whether it was stopped or only lost its process, the next attempt sees in the store.
      if (control.signal.aborted) throw new Error('The work was stopped');
      const end = await ended;
      if (!end) throw new Error('The work has no handler in this process');
      if (!(await runner.finish(held, end))) throw lost(lease, held);
      return 'againAt' in end ? Math.max(0, Date.parse(end.againAt) - Date.now()) : undefined;
    } finally {
      running.delete(work.id);
    }
  }

  return {
    register: runner.register,
    ids: (): string[] => [...running.keys()],
    /** Throws if no process, or this one not now, can do the work. */
    async attempt(address: WorkAddress): Promise<number | undefined> {
      await takeRoom();
      try {
        if (isClosing || !runner.names().includes(address.name))
          throw new Error(`No handler does ${JSON.stringify(address.name)} in this process`);
        const attempted = attempt(address);
        attempts.add(attempted);
        return await attempted.finally(() => attempts.delete(attempted));
      } finally {
        giveRoom();
      }
    },
    stop: (actor: number, name: string): void => stopWhere((work) => work.actor === actor && work.name === name),
    stopActor: ({ workspaceId, kind, id }: ActorAddress): void =>
      stopWhere(({ address }) => address.workspaceId === workspaceId && address.kind === kind && address.id === id),
    stopIds(gone: readonly string[]): void {
      for (const id of gone) running.get(id)?.control.abort();
    },
    /** Stops everything here; it begins again in another process. Resolves when it has stopped, or after a while. */
    async close(): Promise<void> {
      isClosing = true;
      stopWhere(() => true);
      await within(graceMs, Promise.allSettled(attempts));
    },
  };
}

/** Resolves some time after the signal was aborted: a handler that ignores it is not waited for longer. */
function graceAfter(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const begin = (): void => void setTimeout(resolve, graceMs).unref();
    if (signal.aborted) begin();
    else signal.addEventListener('abort', begin, { once: true });
  });
}
