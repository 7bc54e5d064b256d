/**
 * Work on hostile input in confined processes (`worker.ts`), kept warm between calls. Not in threads: measured on Node 20,
 * one allocation larger than what a thread has left aborts the whole program, and a thread inside a long native
 * call outlives `terminate()` by minutes. A process can be killed at any moment and takes nothing else with it.
 */
import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { HelveError } from '../../domain/errors.js';
import type { WorkerFile } from '../../domain/workers.js';
import { findWorkerConfinement, startWorker, type WorkerConfinement } from './worker.js';

export interface ProcessPoolOptions<Memory> {
  /** Body of a function of `(require, data)` that returns a function from message to answer, or to a promise of it. Ours, never a caller's. */
  readonly code: () => string;
  readonly data: unknown;
  /** What is known of a new process. */
  readonly memory: () => Memory;
  readonly most: number;
  readonly mostOfKey: number;
  /** How long a process without work is kept. */
  readonly idleMs: number;
  /** All the memory that a process may have, in megabytes, what lies outside of the heap included. Default: 400 more than the heap. */
  readonly mostResidentMb?: number;
  /** Whether the work may also be done where bubblewrap cannot confine it; if not, `use` throws `invalid_config` there. */
  readonly needsBubblewrap?: boolean;
}

export interface PooledProcess<Memory> {
  /** What its users know of what the process keeps; it goes with the process. */
  readonly memory: Memory;
  /** Throws `timeout`, `too_large` (out of memory) or `cancelled`; each of them ends the process. */
  ask<Answer>(message: unknown, limits: { readonly timeoutMs: number; readonly signal?: AbortSignal }): Promise<Answer>;
}

export interface ProcessRequest {
  readonly key: string;
  readonly heapMb: number;
  /** What the process sees of the host's files. All requests of one key must name the same. */
  readonly files?: readonly WorkerFile[];
  readonly signal?: AbortSignal;
}

export interface ProcessPool<Memory> {
  /** One user at a time has a process. Those of one key and size are used again; no process ever serves two keys. */
  use<T>(to: ProcessRequest, work: (process: PooledProcess<Memory>) => Promise<T>): Promise<T>;
  close(): void;
}

interface Member<Memory> {
  readonly key: string;
  readonly process: PooledProcess<Memory>;
  readonly child: ChildProcess;
  busy: boolean;
  idle?: NodeJS.Timeout;
}

/** What a process is begun with. */
interface Wanted {
  readonly key: string;
  readonly heapMb: number;
  readonly files: readonly WorkerFile[];
  readonly confinement: WorkerConfinement;
}

interface Waiter<Memory> extends Wanted {
  readonly give: (member: Member<Memory>) => void;
}

/** The second thread ends the process when its parent is gone or it has grown too large, even while the first one never comes back. */
const boot = (mostResidentMb: number): string => `
const { Worker } = require('node:worker_threads');
new Worker("const parent = process.ppid; const end = () => process.kill(process.pid, 'SIGKILL'); setInterval(() => { if (process.ppid !== parent) end(); }, 1000); setInterval(() => { if (process.memoryUsage.rss() > ${mostResidentMb * 1_048_576}) end(); }, 50);", { eval: true }).unref();
process.once('disconnect', () => process.exit());
process.once('message', ({ code, data }) => {
  for (const name of ['fetch', 'WebSocket', 'EventSource', 'Request', 'Response', 'FormData']) delete globalThis[name];
  const answer = new Function('require', 'data', code)(require, data);
  process.on('message', async (message) => {
    let reply;
    try { reply = { answer: await answer(message) }; }
    catch (error) {
      const said = error instanceof RangeError ? error.message : '';
      const exhausted = /call stack/i.test(said) ? 'stack' : /allocat/i.test(said) ? 'memory' : undefined;
      reply = exhausted ? { exhausted } : { failure: String((error && error.stack) || error) };
    }
    process.send(reply);
  });
  process.send({ ready: true });
});
`;

/** A process that has not begun by then never will; the time of its work is counted from its beginning. */
const startMs = 30_000;

export function createProcessPool<Memory>(options: ProcessPoolOptions<Memory>): ProcessPool<Memory> {
  const members = new Set<Member<Memory>>();
  const waiting = new Set<Waiter<Memory>>();

  const end = (member: Member<Memory>): void => {
    clearTimeout(member.idle);
    members.delete(member);
    member.child.kill('SIGKILL');
  };
  const start = (wanted: Wanted): Member<Memory> => {
    const member = begin(options, wanted, () => {
      members.delete(member);
      serve();
    });
    members.add(member);
    return member;
  };
  const take = (wanted: Waiter<Memory>): Member<Memory> | undefined => {
    const { key } = wanted;
    const ofKey = [...members].filter((member) => member.key === key);
    const free = ofKey.find(({ busy, child }) => !busy && !isOver(child));
    if (free) return free;
    if (ofKey.length >= options.mostOfKey) return undefined;
    if (members.size < options.most) return start(wanted);
    const other = [...members].find(({ busy }) => !busy);
    if (!other) return undefined;
    end(other);
    return start(wanted);
  };
  /** Whoever waits longest goes first, unless there is no place for that key and one for another. */
  const serve = (): void => {
    for (const waiter of waiting) {
      const member = take(waiter);
      if (!member) continue;
      waiting.delete(waiter);
      member.busy = true;
      clearTimeout(member.idle);
      waiter.give(member);
    }
  };
  const release = (member: Member<Memory>): void => {
    member.busy = false;
    member.idle = setTimeout(() => end(member), options.idleMs).unref();
    serve();
  };

  return {
    async use(request, work) {
      const wanted = await wantedBy(request, options.needsBubblewrap ?? false);
      const member = await turn<Memory>(waiting, wanted, request.signal, serve);
      try {
        return await work(member.process);
      } finally {
        release(member);
      }
    },
    close() {
      for (const member of members) end(member);
    },
  };
}

/** Throws `invalid_config` where the machine cannot hold such a process. */
async function wantedBy({ key, heapMb, files = [] }: ProcessRequest, needsBubblewrap: boolean): Promise<Wanted> {
  const confinement = await findWorkerConfinement();
  if (needsBubblewrap && !confinement.bubblewrap) throw confinement.reason;
  const held = confinement.bubblewrap ? 'confined' : 'permitted';
  return { key: `${held} ${heapMb} ${key}`, heapMb, files, confinement };
}

function begin<Memory>(options: ProcessPoolOptions<Memory>, wanted: Wanted, gone: () => void): Member<Memory> {
  const child = spawnChild(options, wanted);
  child.once('exit', gone).once('error', gone);
  return { key: wanted.key, child, busy: false, process: { memory: options.memory(), ask: asker(child) } };
}

/** A member of the pool, once there is one for this waiter. */
function turn<Memory>(
  waiting: Set<Waiter<Memory>>,
  wanted: Wanted,
  signal: AbortSignal | undefined,
  serve: () => void,
): Promise<Member<Memory>> {
  return new Promise((resolve, reject) => {
    const cancel = (): void => {
      waiting.delete(waiter);
      reject(new HelveError('cancelled', 'The work was cancelled'));
    };
    const give = (given: Member<Memory>): void => {
      signal?.removeEventListener('abort', cancel);
      resolve(given);
    };
    const waiter: Waiter<Memory> = { ...wanted, give };
    if (signal?.aborted) return cancel();
    signal?.addEventListener('abort', cancel, { once: true });
    waiting.add(waiter);
    serve();
  });
}

const isOver = (child: ChildProcess): boolean =>
  child.pid === undefined || child.killed || child.exitCode !== null || child.signalCode !== null;

/** Above what a process may have resident: memory that is reserved and not yet used counts for the kernel too. */
const reservedMb = 1_024;

function spawnChild(
  { code, data, mostResidentMb: given }: ProcessPoolOptions<unknown>,
  { heapMb, files, confinement }: Wanted,
): ChildProcess {
  const mostResidentMb = given ?? heapMb + 400;
  const plan = { program: ['-e', boot(mostResidentMb)], heapMb, memoryMb: mostResidentMb + reservedMb, files };
  const child = startWorker(confinement, plan);
  child.on('error', () => {});
  rest(child);
  warnOfFailedStart(child);
  child.send({ code: code(), data }, () => {});
  return child;
}

/** Bad input never ends a process before it has begun: if one ends then, the operator has to know what it said. */
function warnOfFailedStart(child: ChildProcess): void {
  let said = '';
  let begun = false;
  const output = child.stderr as Socket | null;
  output?.unref();
  output?.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-2_000);
  });
  child.once('message', () => {
    begun = true;
  });
  child.once('close', (_code, signal) => {
    if (!begun && signal !== 'SIGKILL') process.emitWarning(`A worker process did not start: ${said.trim()}`);
  });
}

/** A process without work does not keep Helve running. */
function rest(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
}

type Reply<Answer> =
  | { readonly answer: Answer }
  | { readonly failure: string }
  | { readonly exhausted: 'stack' | 'memory' };

function asker(child: ChildProcess): PooledProcess<unknown>['ask'] {
  let begun = false;
  child.once('message', () => {
    begun = true;
  });
  return async <Answer>(message: unknown, limits: { timeoutMs: number; signal?: AbortSignal }) => {
    if (!begun) await next(child, startMs, limits.signal);
    const answered = next<Reply<Answer>>(child, limits.timeoutMs, limits.signal);
    child.send(message as never, () => {});
    const reply = await answered;
    if ('answer' in reply) return reply.answer;
    child.kill('SIGKILL');
    if ('exhausted' in reply) throw reply.exhausted === 'stack' ? tooDeep() : tooMuchMemory();
    // What went wrong names files of this machine: it is for the operator, not for a caller.
    throw new HelveError('internal', 'The work failed on this input', { cause: new Error(reply.failure) });
  };
}

function tooDeep(): HelveError {
  return new HelveError('too_large', 'The input is nested too deeply', { hint: 'Send something flatter.' });
}

function tooMuchMemory(): HelveError {
  return new HelveError('too_large', 'The work needed too much memory', { hint: 'Ask for less.' });
}

/** The next message of the process. Without one in time the process is ended. */
function next<Message>(child: ChildProcess, timeoutMs: number, signal: AbortSignal | undefined): Promise<Message> {
  let settle = (): void => {};
  const message = new Promise<Message>((resolve, reject) => {
    const fail = (error: HelveError): void => {
      reject(error);
      child.kill('SIGKILL');
    };
    const cancel = (): void => fail(new HelveError('cancelled', 'The work was cancelled'));
    const late = (): void =>
      fail(
        new HelveError('timeout', `The work did not end within ${timeoutMs} ms`, {
          hint: 'Ask for something simpler.',
        }),
      );
    const over = (): void => fail(tooMuchMemory());
    const take = (given: unknown): void => resolve(given as Message);
    const timer = setTimeout(late, timeoutMs);
    settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
      child.off('message', take).off('exit', over).off('error', over);
      rest(child);
    };
    child.once('message', take).once('exit', over).once('error', over);
    signal?.addEventListener('abort', cancel, { once: true });
    child.ref();
    child.channel?.ref();
    if (signal?.aborted) cancel();
    else if (isOver(child)) over();
  });
  return message.finally(() => settle());
}
