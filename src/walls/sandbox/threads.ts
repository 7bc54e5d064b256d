/**
 * Places in threads of this process. At any time, a thread has runs of only one tenant, and executes one turn of them.
 * A thread that does not return is terminated; the other runs of its tenant end with it.
 */
import { Worker } from 'node:worker_threads';
import { findCompiled } from '../../util/sandbox/compiled-module.js';
import { type LossReason, type Place, PlaceLost, type Places, type ToGuest, type Turn } from './messages.js';

const mainModule = import.meta.url.endsWith('.ts') ? './engine/in-thread.ts' : './engine/in-thread.js';
const maxRunsOfThread = 16;
const heapMb = 256;
const stackMb = 4;
const spareAfterMs = 100;

interface Question {
  readonly message: ToGuest;
  readonly timeoutMs: number;
  readonly answer: (turn: Turn) => void;
  readonly fail: (error: PlaceLost) => void;
}

interface Thread {
  tenant: string | symbol | undefined;
  runs: number;
  /** Questions that it has not answered. */
  load(): number;
  ask(message: ToGuest, timeoutMs: number): Promise<Turn>;
  end(reason: LossReason): Promise<void>;
}

interface Waiter {
  readonly tenant: string | symbol;
  readonly give: (thread: Thread) => void;
}

export function createThreads(maxPlaces: number): Places {
  const threads = new Set<Thread>();
  const waiting = new Set<Waiter>();
  let closed = false;

  const start = (): Thread => {
    const thread = startThread(() => {
      threads.delete(thread);
      serve();
    });
    threads.add(thread);
    prepare(thread);
    return thread;
  };
  const find = (tenant: string | symbol): Thread | undefined => {
    const own = [...threads]
      .filter((thread) => thread.tenant === tenant && thread.runs < maxRunsOfThread)
      .sort((a, b) => a.load() - b.load())[0];
    if (own && own.load() === 0) return own;
    const free = [...threads].find(({ tenant: other }) => other === undefined);
    return free ?? (threads.size < maxPlaces ? start() : own);
  };
  const serve = (): void => {
    for (const waiter of closed ? [] : waiting) {
      const thread = find(waiter.tenant);
      if (!thread) continue;
      waiting.delete(waiter);
      thread.tenant = waiter.tenant;
      thread.runs += 1;
      waiter.give(thread);
    }
  };
  const toPlace = (thread: Thread): Place => {
    // The machine for the next program is created when this one has ended, or has taken a while, because creating it
    // delays the turns of this one.
    const timer = setTimeout(() => prepare(thread), spareAfterMs).unref();
    return {
      ask: thread.ask,
      release() {
        clearTimeout(timer);
        thread.runs -= 1;
        if (thread.runs === 0) thread.tenant = undefined;
        prepare(thread);
        serve();
      },
    };
  };
  start();

  return {
    take: (tenant, signal) =>
      new Promise((resolve, reject) => {
        const refuse = (): void => {
          waiting.delete(waiter);
          reject(new PlaceLost(closed ? 'closed' : 'waiting'));
        };
        const waiter: Waiter = {
          tenant: tenant ?? Symbol('alone'),
          give(thread) {
            signal.removeEventListener('abort', refuse);
            resolve(toPlace(thread));
          },
        };
        if (closed || signal.aborted) return refuse();
        signal.addEventListener('abort', refuse, { once: true });
        waiting.add(waiter);
        serve();
      }),
    async close() {
      closed = true;
      await Promise.all([...threads].map((thread) => thread.end('closed')));
    },
  };
}

function prepare(thread: Thread): void {
  thread.ask({ kind: 'prepare' }, startMs).catch(() => {});
}

const startMs = 30_000;

function startThread(gone: () => void): Thread {
  const worker = new Worker(new URL(findCompiled(new URL(mainModule, import.meta.url).href)), {
    env: {},
    argv: [],
    execArgv: [],
    stdin: false,
    resourceLimits: { maxOldGenerationSizeMb: heapMb, stackSizeMb: stackMb },
  });
  worker.unref();
  const questions: Question[] = [];
  let timer: NodeJS.Timeout | undefined;
  let over = false;

  const askNext = (): void => {
    // While the thread is being ended it must keep the process alive; otherwise whoever waits for that would wait
    // forever.
    if (over) return;
    const question = questions[0];
    if (!question) {
      worker.unref();
      return;
    }
    worker.ref();
    timer = setTimeout(() => void end('late'), question.timeoutMs);
    worker.postMessage(question.message);
  };
  /** The run whose turn it was gets the reason; the others end as its neighbours. */
  const end = async (reason: LossReason): Promise<void> => {
    if (over) return;
    over = true;
    clearTimeout(timer);
    const lost = questions.splice(0);
    gone();
    for (const [index, { fail }] of lost.entries())
      fail(new PlaceLost(index === 0 || reason === 'closed' ? reason : 'neighbour'));
    await worker.terminate();
  };
  worker.on('message', (turn: Turn) => {
    clearTimeout(timer);
    questions.shift()?.answer(turn);
    askNext();
  });
  worker.on('error', () => void end('failed'));
  worker.on('exit', () => void end('failed'));

  return {
    tenant: undefined,
    runs: 0,
    load: () => questions.length,
    ask: (message, timeoutMs) =>
      new Promise((answer, fail) => {
        if (over) return fail(new PlaceLost('neighbour'));
        questions.push({ message, timeoutMs, answer, fail });
        if (questions.length === 1) askNext();
      }),
    end,
  };
}
