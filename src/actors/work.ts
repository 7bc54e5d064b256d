/** Does pieces of work: asks the handler of their name, and says what the store keeps of how that ended. */
import type { ActorEvent, ActorJob, WorkHandler } from '../domain/actor-host.js';
import type { ActorDriverTable, ActorLease, ActorWorkEnd, ClaimedWork } from '../domain/actor-storage.js';
import { HelveError } from '../domain/errors.js';
import { checked } from './decide.js';
import type { Persistence } from './persistence.js';

export interface WorkRunnerOptions {
  readonly table: ActorDriverTable;
  readonly persistence: Persistence;
  /** The store's clock. */
  readonly now: () => Promise<Date>;
  /** How long to wait after a handler threw, by the number of times that it has, in milliseconds. */
  readonly retryMs: (failures: number) => number;
}

/** A handler that has thrown this often is not asked again. */
const maxFailures = 10;
/** Work during which so many processes died is more likely the reason than the victim. */
const maxAttempts = 100;
/** How long stopped work may take to end before its successor begins. */
export const graceMs = 5_000;

export function createWorkRunner({ table, persistence, now, retryMs }: WorkRunnerOptions) {
  const handlers = new Map<string, WorkHandler>();

  /** Undefined if it was stopped: nothing is to be written then. */
  async function perform(work: ClaimedWork, control: AbortController): Promise<ActorWorkEnd | undefined> {
    const { id, name, attempt, input, address } = work;
    const handler = handlers.get(name);
    if (!handler) return undefined;
    if (attempt > maxAttempts) return { work, event: failed(work, `Its process ended ${maxAttempts} times`) };
    const job: ActorJob = {
      actor: address,
      id,
      name,
      attempt,
      input,
      signal: control.signal,
      async heartbeat(progress) {
        // A store that is gone for a moment is no reason to stop.
        const isPresent = await table.beatWork(work, progress).catch(() => undefined);
        if (isPresent === false) control.abort();
        return isPresent === true;
      },
    };
    try {
      const event = await handler(job);
      return event ? { work, event: checked(event) } : { work };
    } catch (thrown) {
      // It was stopped, or another process does it now.
      if (control.signal.aborted) return undefined;
      const failures = work.failures + 1;
      if (failures >= maxFailures) return { work, event: failed(work, message(thrown)) };
      const at = (await persistence.attempt(now)).getTime() + retryMs(failures);
      return { work, failures, againAt: new Date(at).toISOString() };
    }
  }

  /** What the work came to must not be lost: it is kept until the store has it. False if the lease is lost. */
  async function finish(lease: ActorLease, end: ActorWorkEnd): Promise<boolean> {
    for (;;) {
      try {
        return await persistence.attempt(() => table.endWork(lease, end));
      } catch (thrown) {
        if (!(thrown instanceof HelveError && thrown.code === 'storage_failed')) throw thrown;
      }
    }
  }

  return {
    names: (): string[] => [...handlers.keys()],
    /** Throws `conflict` if somebody does work of this name already. */
    register(name: string, handler: WorkHandler): () => void {
      if (handlers.has(name))
        throw new HelveError('conflict', `The work ${JSON.stringify(name)} has a handler already`);
      handlers.set(name, handler);
      return () => void handlers.delete(name);
    },
    perform,
    finish,
  };
}

const message = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

const failed = ({ name }: ClaimedWork, reason: string): ActorEvent => ({
  type: 'WORK_FAILED',
  work: name,
  message: reason,
});

/** Waits for `done`, but not longer. */
export async function within(ms: number, done: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([done, late]);
  clearTimeout(timer);
}
