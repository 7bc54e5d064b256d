/** The work that this process does: begun when there is room, tried again when it throws, stopped when its actor says so. */
import type { ActorAddress, WorkHandler } from '../../domain/actor-host.js';
import type { ActorLease, ClaimedWork } from '../../domain/actor-storage.js';
import { HelveError } from '../../domain/errors.js';
import { createWorkRunner, graceMs, type WorkRunnerOptions, within } from '../work.js';

export interface JobsOptions extends WorkRunnerOptions {
  /** How many pieces of work run at the same time. */
  readonly limit: number;
  /** There is room, or an actor has an event. */
  readonly onEnd: () => void;
  readonly report: (error: unknown) => void;
}

interface Running {
  readonly work: ClaimedWork;
  readonly control: AbortController;
  done: Promise<void>;
}

export type Jobs = ReturnType<typeof createJobs>;

export function createJobs(options: JobsOptions) {
  const { table, persistence, limit, onEnd, report } = options;
  const runner = createWorkRunner(options);
  const running = new Map<string, Running>();
  const ids = (): string[] => [...running.keys()];
  const free = (): number => Math.max(0, limit - running.size);
  const wanted = (): string[] => (free() > 0 ? runner.names() : []);

  /** Work of the same name of the same actor, which was stopped, ends first. */
  async function run(lease: ActorLease, { work, control }: Running, before: readonly Running[]): Promise<void> {
    if (before.length > 0) await within(graceMs, Promise.all(before.map(({ done }) => done)));
    if (control.signal.aborted) return;
    const end = await runner.perform(work, control);
    if (end) await runner.finish(lease, end);
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
      const unregister = runner.register(name, handler);
      onEnd();
      return unregister;
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
