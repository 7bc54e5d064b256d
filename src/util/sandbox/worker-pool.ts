/**
 * Work on hostile input in confined processes (`worker.ts`), kept warm between calls. Not in threads: measured on Node 20,
 * a single allocation larger than the memory a thread has left aborts the whole program, and a thread in a long native
 * call outlives `terminate()` by minutes. A process can be killed at any moment without affecting any other.
 */
import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { errorTable, HelveError } from '../../domain/errors.js';
import type {
  QuestionLimits,
  WorkerDefinition,
  WorkerFile,
  WorkerPlaces,
  WorkerProcess,
  WorkerRequest,
  Workers,
} from '../../domain/workers.js';
import { findCompiled } from './compiled-module.js';
import { findWorkerConfinement, startWorker, type WorkerConfinement } from './worker.js';
import type { WorkerReply } from './worker-messages.js';

export interface WorkerPool {
  /** A process has one user at a time. It is reused for the same worker, key and size, and never serves two keys. */
  readonly use: Workers['use'];
  /** Ends every process; calls that use one or wait for one fail. */
  close(): void;
}

/** A process of this pool, whatever its module is: `Wanted.worker` knows. */
type AnyProcess = WorkerProcess<never, never>;

interface Member {
  readonly key: string;
  readonly process: AnyProcess;
  readonly child: ChildProcess;
  busy: boolean;
  idle?: NodeJS.Timeout;
}

/** What a process is started with. */
interface Wanted {
  readonly worker: WorkerDefinition<object, unknown>;
  readonly key: string;
  readonly heapMb: number;
  readonly files: readonly WorkerFile[];
  readonly confinement: WorkerConfinement;
}

interface Waiter extends Wanted {
  readonly give: (member: Member) => void;
  readonly refuse: (error: HelveError) => void;
}

/** A process that is not ready by then never will be. The time limit of its work starts when it is ready. */
const startMs = 30_000;

export function createWorkerPool(places: WorkerPlaces): WorkerPool {
  const members = new Set<Member>();
  const waiting = new Set<Waiter>();
  let closed = false;

  const end = (member: Member): void => {
    clearTimeout(member.idle);
    members.delete(member);
    member.child.kill('SIGKILL');
  };
  const start = (wanted: Wanted): Member => {
    const member = begin(wanted, () => {
      members.delete(member);
      serve();
    });
    members.add(member);
    return member;
  };
  const take = (wanted: Waiter): Member | undefined => {
    const { key } = wanted;
    const ofKey = [...members].filter((member) => member.key === key);
    const free = ofKey.find(({ busy, child }) => !busy && !isOver(child));
    if (free) return free;
    if (ofKey.length >= places.mostOfKey) return undefined;
    if (members.size < places.most) return start(wanted);
    const other = [...members].find(({ busy }) => !busy);
    if (!other) return undefined;
    end(other);
    return start(wanted);
  };
  /** The longest waiting call goes first, unless its key has no place left and another key has one. */
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
  const release = (member: Member): void => {
    member.busy = false;
    if (closed) return;
    member.idle = setTimeout(() => end(member), places.idleMs).unref();
    serve();
  };

  return {
    async use(worker, request, work) {
      const wanted = await findWanted(worker, request);
      if (closed) throw stopping();
      const member = await turn({ waiting, wanted, signal: request.signal, serve });
      try {
        // The key of a member contains its worker, so this process runs that worker.
        return await work(member.process as WorkerProcess<never, never> as never);
      } catch (error) {
        throw closed ? stopping() : error;
      } finally {
        release(member);
      }
    },
    close() {
      closed = true;
      for (const waiter of waiting) waiter.refuse(stopping());
      waiting.clear();
      for (const member of members) end(member);
    },
  };
}

function stopping(): HelveError {
  return new HelveError('shutting_down', 'The work was ended because Helve is stopping');
}

/** Throws `invalid_config` if the machine cannot confine such a process. */
async function findWanted(worker: WorkerDefinition<object, unknown>, request: WorkerRequest): Promise<Wanted> {
  const { key = '', heapMb, files = [] } = request;
  const confinement = await findWorkerConfinement();
  if (worker.needsBubblewrap && !confinement.bubblewrap) throw confinement.reason;
  const held = confinement.bubblewrap ? 'confined' : 'permitted';
  return { worker, key: `${worker.entry} ${held} ${heapMb} ${key}`, heapMb, files, confinement };
}

function begin(wanted: Wanted, gone: () => void): Member {
  const child = spawnChild(wanted);
  child.once('exit', gone).once('error', gone);
  const process = { memory: wanted.worker.memory(), ask: createAsk(child) };
  return { key: wanted.key, child, busy: false, process: process as AnyProcess };
}

interface Turn {
  readonly waiting: Set<Waiter>;
  readonly wanted: Wanted;
  readonly signal: AbortSignal | undefined;
  readonly serve: () => void;
}

/** Resolves with a member of the pool when there is one for this waiter. */
function turn({ waiting, wanted, signal, serve }: Turn): Promise<Member> {
  return new Promise((resolve, reject) => {
    const settle = (): void => signal?.removeEventListener('abort', cancel);
    const refuse = (error: HelveError): void => {
      settle();
      reject(error);
    };
    const cancel = (): void => {
      waiting.delete(waiter);
      refuse(new HelveError('cancelled', 'The work was cancelled'));
    };
    const give = (given: Member): void => {
      settle();
      resolve(given);
    };
    const waiter: Waiter = { ...wanted, give, refuse };
    if (signal?.aborted) return cancel();
    signal?.addEventListener('abort', cancel, { once: true });
    waiting.add(waiter);
    serve();
  });
}

const isOver = (child: ChildProcess): boolean =>
  child.pid === undefined || child.killed || child.exitCode !== null || child.signalCode !== null;

/** Added to the limit of resident memory: the kernel also counts memory that is reserved but not yet used. */
const reservedMb = 1_024;

function spawnChild({ worker, heapMb, files, confinement }: Wanted): ChildProcess {
  const { entry, residentMb = heapMb + 400, niceness } = worker;
  const main = fileURLToPath(findCompiled(new URL(mainModule, import.meta.url).href));
  const program = [main, findCompiled(entry), residentMb * 1_048_576, niceness].map(String);
  const child = startWorker(confinement, { program, heapMb, memoryMb: residentMb + reservedMb, files });
  child.on('error', () => {});
  rest(child);
  warnOfFailedStart(child);
  return child;
}

const mainModule = import.meta.url.endsWith('.ts') ? './worker-main.ts' : './worker-main.js';

/** Bad input cannot end a process before it is ready. If one ends then, the operator has to know its output. */
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

function createAsk(child: ChildProcess) {
  let begun = false;
  child.once('message', () => {
    begun = true;
  });
  return async (call: string, message: unknown, { timeoutMs, signal }: QuestionLimits): Promise<unknown> => {
    if (!begun) await next(child, startMs, signal);
    const answered = next<WorkerReply>(child, timeoutMs, signal);
    child.send({ call, message }, () => {});
    const reply = await answered;
    if ('answer' in reply) return reply.answer;
    if ('refusal' in reply && Object.hasOwn(errorTable, reply.refusal.code)) {
      const { code, message: said, hint } = reply.refusal;
      throw new HelveError(code, said, hint === undefined ? {} : { hint });
    }
    child.kill('SIGKILL');
    if ('exhausted' in reply) throw reply.exhausted === 'stack' ? tooDeep() : tooMuchMemory();
    // The cause names files of this machine: it is for the operator, not for a caller.
    throw new HelveError('internal', 'The work failed on this input', {
      cause: new Error('failure' in reply ? reply.failure : 'It answered with an unknown error code'),
    });
  };
}

function tooDeep(): HelveError {
  return new HelveError('too_large', 'The input is nested too deeply', { hint: 'Send something flatter.' });
}

function tooMuchMemory(): HelveError {
  return new HelveError('too_large', 'The work needed too much memory', { hint: 'Ask for less.' });
}

/** Resolves with the next message of the process. If none comes in time, the process is ended. */
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
