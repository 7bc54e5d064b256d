/** One place for checks: a thread with a compiler, started when it is first used and again after it had to be killed. */
import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { CheckedProgram } from '../domain/code.js';
import { findCompiled } from '../util/sandbox/compiled-module.js';
import type { EngineName } from './engine.js';
import type { ThreadMessage } from './thread.js';

export type Outcome =
  | Extract<ThreadMessage, { is: 'checked' | 'exhausted' | 'broken' | 'unavailable' }>
  | { readonly is: 'late' };

export interface Place {
  /** One at a time. */
  check(program: CheckedProgram): Promise<Outcome>;
  close(): Promise<void>;
}

export interface PlaceOptions {
  readonly engine: EngineName;
  /** Milliseconds in which the compiler works; where that cannot be known, milliseconds that pass. */
  readonly timeoutMs: number;
  readonly dataDir?: string | undefined;
}

interface Thread {
  readonly worker: Worker;
  readonly processId: number | undefined;
}

const startMs = 30_000;
const watchMs = 50;
const pageBytes = 4_096;
/** Memory that one place may use. */
const residentMb = 1_024;
/** How many times the limit may pass on the clock, because a compiler has to wait on a busy machine. */
const patience = 10;
/** Milliseconds of a unit in which the system counts the time of processes. */
const tickMs = 10;

export function createPlace({ engine, timeoutMs, dataDir }: PlaceOptions): Place {
  let thread: Promise<Thread | string> | undefined;

  function start(): Promise<Thread | string> {
    const entry = findCompiled(
      new URL(import.meta.url.endsWith('.ts') ? './thread.ts' : './thread.js', import.meta.url).href,
    );
    const worker = new Worker(new URL(entry), {
      workerData: { engine, dataDir },
      // Its server is a Go program, which would print the stacks of its threads when it dies.
      env: { GOTRACEBACK: 'none', GOMEMLIMIT: `${Math.floor(residentMb / 2)}MiB` },
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: residentMb, stackSizeMb: 4 },
    });
    worker.unref();
    return new Promise((resolve) => {
      const timer = setTimeout(() => finish('It did not start in time'), startMs);
      const finish = (result: string | number | undefined) => {
        clearTimeout(timer);
        worker.off('message', read).off('error', fail).off('exit', fail);
        // A later failure is reported to the listeners of the check that is running then.
        worker.on('error', () => undefined);
        resolve(typeof result === 'string' ? result : { worker, processId: result });
      };
      const read = (message: ThreadMessage) => {
        if (message.is === 'ready') finish(message.processId);
        else if (message.is === 'unavailable') finish(message.reason);
      };
      const fail = (error: unknown) => finish(`The thread ended: ${String(error)}`);
      worker.on('message', read).on('error', fail).on('exit', fail);
    });
  }

  function ask({ worker, processId }: Thread, program: CheckedProgram): Promise<Outcome> {
    return new Promise((resolve) => {
      const before = readCpuMs(processId);
      const deadline = performance.now() + patience * timeoutMs;
      let timer = setTimeout(look, timeoutMs);
      function look(): void {
        const now = readCpuMs(processId);
        const left = before === undefined || now === undefined ? 0 : timeoutMs - (now - before);
        if (left <= 0 || performance.now() >= deadline) finish({ is: 'late' });
        else timer = setTimeout(look, Math.max(watchMs, left));
      }
      const watch = setInterval(() => {
        if (processId !== undefined && readResidentMb(processId) > residentMb) finish({ is: 'exhausted' });
      }, watchMs);
      const finish = (outcome: Outcome) => {
        clearTimeout(timer);
        clearInterval(watch);
        worker.off('message', finish).off('error', fail).off('exit', fail);
        resolve(outcome);
      };
      const fail = () => finish({ is: 'exhausted' });
      worker.on('message', finish).on('error', fail).on('exit', fail);
      worker.postMessage(program);
    });
  }

  /** A thread that waits for its server can only be ended after the server. */
  async function end({ worker, processId }: Thread): Promise<void> {
    if (processId !== undefined && worker.threadId !== -1) kill(processId);
    await worker.terminate();
  }

  return {
    async check(program) {
      thread ??= start();
      const started = await thread;
      if (typeof started === 'string') {
        thread = undefined;
        return { is: 'unavailable', reason: started };
      }
      const outcome = await ask(started, program);
      if (outcome.is !== 'checked') {
        thread = undefined;
        await end(started);
      }
      return outcome;
    },
    async close() {
      const started = await thread;
      thread = undefined;
      if (started !== undefined && typeof started !== 'string') await end(started);
    },
  };
}

function kill(processId: number): void {
  try {
    process.kill(processId, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

/** 0 where the system does not say. */
function readResidentMb(processId: number): number {
  try {
    const pages = Number(readFileSync(`/proc/${processId}/statm`, 'utf8').split(' ')[1]);
    return (pages * pageBytes) / 1_048_576;
  } catch {
    return 0;
  }
}

/** The time for which all threads of the process have worked. Undefined where the system does not say. */
function readCpuMs(processId: number | undefined): number | undefined {
  try {
    const stat = readFileSync(`/proc/${processId}/stat`, 'utf8');
    // The name, in brackets, may have spaces. After it, the twelfth and the thirteenth.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * tickMs;
  } catch {
    return undefined;
  }
}
