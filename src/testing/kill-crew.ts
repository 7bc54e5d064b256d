/** For kills: several processes on one store, of which one after the other is killed and replaced, and the wait for their work. */
import { setTimeout as sleep } from 'node:timers/promises';

/** A process. */
export interface Member {
  kill(signal: 'SIGKILL'): unknown;
}

export interface CrewOptions<One extends Member> {
  /** Starts a process. Resolves when it is open: kills faster than processes start would measure nothing. */
  readonly start: () => Promise<One>;
  /** How many live at a time. */
  readonly processes: number;
  /** The longest time from one kill to the next, in milliseconds, once the process that replaces the killed one is open. */
  readonly lifeMs?: number;
  /** Told before a process is killed. */
  readonly onKill?: (killed: One) => void;
}

export interface Crew<One extends Member> {
  /** The processes that are alive now. */
  readonly members: readonly One[];
  /** Starts them. Resolves when all are open. */
  open(): Promise<void>;
  /**
   * Kills one after a random time, and returns when another is in its place. `aim` waits for a moment and names the one to kill; without
   * it, or if it names none, that is a random one.
   */
  kill(aim?: () => Promise<One | undefined>): Promise<void>;
  /** Kills all. */
  end(): void;
}

const defaultLifeMs = 1_000;

export function createCrew<One extends Member>(options: CrewOptions<One>): Crew<One> {
  const { start, processes, lifeMs = defaultLifeMs, onKill } = options;
  const members: One[] = [];
  const join = async (): Promise<void> => void members.push(await start());
  return {
    members,
    async open() {
      // The first one alone sets the store up.
      await join();
      await Promise.all(Array.from({ length: processes - 1 }, join));
    },
    async kill(aim) {
      await sleep(Math.random() * lifeMs);
      const aimed = members.indexOf((await aim?.()) as One);
      const at = aimed >= 0 ? aimed : Math.floor(Math.random() * members.length);
      const [killed] = members.splice(at, 1);
      if (killed) onKill?.(killed);
      killed?.kill('SIGKILL');
      await join();
    },
    end() {
      for (const child of members) child.kill('SIGKILL');
    },
  };
}

export interface Work {
  readonly isDone: () => boolean | Promise<boolean>;
  /** Grows while something happens. */
  readonly progress: () => number;
  /** How long nothing may happen, in milliseconds. Default 60,000. */
  readonly patienceMs?: number;
}

/** Resolves when the work is done, or when nothing has happened for too long. */
export async function waitForWork({ isDone, progress, patienceMs = 60_000 }: Work): Promise<void> {
  let last = -1;
  let since = performance.now();
  while (!(await isDone())) {
    await sleep(50);
    if (progress() !== last) since = performance.now();
    last = progress();
    if (performance.now() - since > patienceMs) return;
  }
}
