/** The work that this process does: begun when there is room, tried again when it throws, stopped when its actor says so. */
import type { ActorAddress, ActorEvent, ActorJob, WorkHandler } from '../../domain/actor-host.js';
import type { ActorDriverTable, ActorLease, ActorWorkEnd, ClaimedWork } from '../../domain/actor-storage.js';
import { HelveError } from '../../domain/errors.js';
import type { Persistence } from '../persistence.js';
import { checked } from './decide.js';

export interface JobsOptions {
  readonly table: ActorDriverTable;
  readonly persistence: Persistence;
  /** The store's clock. */
  readonly now: () => Promise<Date>;
  /** How many pieces of work run at the same time. */
  readonly limit: number;
  /** How long to wait after a handler threw, by the number of times that it has, in milliseconds. */
  readonly retryMs: (failures: number) => number;
  /** There is room, or an actor has an event. */
  readonly onEnd: () => void;
  readonly report: (error: unknown) => void;
}

interface Running {
  readonly work: ClaimedWork;
  readonly control: AbortController;
  done: Promise<void>;
}

/** A handler that has thrown this often is not asked again. */
const maxFailures = 10;
/** Work during which so many processes died is more likely the reason than the victim. */
const maxAttempts = 100;
/** How long stopped work may take to end before its successor begins. */
const graceMs = 5_000;

export type Jobs = ReturnType<typeof createJobs>;

export function createJobs(options: JobsOptions) {
  const { table, persistence, now, limit, retryMs, onEnd, report } = options;
  const handlers = new Map<string, WorkHandler>();
  const running = new Map<string, Running>();
  const ids = (): string[] => [...running.keys()];
  const free = (): number => Math.max(0, limit - running.size);
  const wanted = (): string[] => (free() > 0 ? [...handlers.keys()] : []);

  /** Work of the same name of the same actor, which was stopped, ends first. */
  async function run(lease: ActorLease, { work, control }: Running, before: readonly Running[]): Promise<void> {
    if (before.length > 0) await within(graceMs, Promise.all(before.map(({ done }) => done)));
    if (control.signal.aborted) return;
    const end = await perform(work, control);
    if (end) await finish(lease, end);
  }

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
        const isPresent = await table.beatWork(work, progress).catch(() => true);
        if (!isPresent) control.abort();
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

  /** What the work came to must not be lost: it is kept until the store has it. */
  async function finish(lease: ActorLease, end: ActorWorkEnd): Promise<void> {
    for (;;) {
      try {
        await persistence.attempt(() => table.endWork(lease, end));
        return;
      } catch (thrown) {
        if (!(thrown instanceof HelveError && thrown.code === 'storage_failed')) throw thrown;
      }
    }
  }

  function begin(lease: ActorLease, work: ClaimedWork): void {
    const one: Running = { work, control: new AbortController(), done: Promise.resolve() };
    const before = [...running.values()].filter(
      ({ work: { actor, name } }) => actor === work.actor && name === work.name,
    );
    running.set(work.id, one);
    one.done = run(lease, one, before)
      .catch((thrown) => {
        if (!(thrown instanceof HelveError && thrown.code === 'shutting_down')) report(thrown);
      })
      .finally(() => {
        if (running.get(work.id) === one) running.delete(work.id);
        onEnd();
      });
  }

  return {
    ids,
    wanted,
    /** Throws `conflict` if somebody does work of this name already. */
    register(name: string, handler: WorkHandler): () => void {
      if (handlers.has(name))
        throw new HelveError('conflict', `The work ${JSON.stringify(name)} has a handler already`);
      handlers.set(name, handler);
      onEnd();
      return () => void handlers.delete(name);
    },
    async claim(lease: ActorLease, at: Date): Promise<void> {
      const names = wanted();
      if (names.length === 0) return;
      const question = { now: at, names, limit: free() };
      const claimed = await persistence.attempt(() => table.claimWork(lease, { ...question, running: ids() }));
      for (const work of claimed) begin(lease, work);
    },
    /** Stops the work of this name of an actor. */
    stop(actor: number, name: string): void {
      for (const { work, control } of running.values()) if (work.actor === actor && work.name === name) control.abort();
    },
    stopActor({ workspaceId, kind, id }: ActorAddress): void {
      for (const { work, control } of running.values()) {
        const { address } = work;
        if (address.workspaceId === workspaceId && address.kind === kind && address.id === id) control.abort();
      }
    },
    stopIds(gone: readonly string[]): void {
      for (const id of gone) running.get(id)?.control.abort();
    },
    stopAll(): void {
      for (const { control } of running.values()) control.abort();
    },
    /** Resolves when nothing runs any more, or after a while. */
    settled: (): Promise<unknown> => within(graceMs, Promise.all([...running.values()].map(({ done }) => done))),
  };
}

const message = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

const failed = ({ name }: ClaimedWork, reason: string): ActorEvent => ({
  type: 'WORK_FAILED',
  work: name,
  message: reason,
});

/** Waits for `done`, but not longer. */
async function within(ms: number, done: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([done, late]);
  clearTimeout(timer);
}
