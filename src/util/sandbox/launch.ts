/**
 * Starts bubblewrap and ends it. Inside, a shell is the first process of a new process namespace. When it ends, the kernel
 * ends all other processes in the namespace, even those that ignore signals or have detached themselves. bubblewrap waits
 * for this before it exits, so after its exit no process is left.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { descriptors, type Inherited } from './inherited.js';
import { errorMessage } from './plain-error.js';
import { seccompFilter } from './seccomp.js';

export interface Identity {
  readonly uid: number;
  readonly gid: number;
}

export interface LaunchPlan {
  /** Descriptors that the command would inherit by mistake, and one for `/dev/null`. */
  readonly inherited: Inherited;
  readonly bubblewrap: string;
  readonly architecture: 'x64' | 'arm64';
  /** The user to switch to first. Undefined: stay the current user, which must not be root. */
  readonly identity: Identity | undefined;
  /** Arguments of bubblewrap; `attach` gives the number of a descriptor that it reads these bytes from. */
  readonly view: (attach: (bytes: Uint8Array) => string) => readonly string[];
  /** Arguments of prlimit. They also apply to the waiting shell, because a command can take it over. */
  readonly kernelLimits: readonly string[];
  /** Program and arguments. */
  readonly command: readonly string[];
  readonly stdin: string | undefined;
}

export interface Ending {
  /** As in a shell: 128 plus the signal's number if a signal ended it. Undefined: the command never started. */
  readonly code: number | undefined;
}

export interface Launched {
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** The first process inside, by its number outside; undefined if it never started. */
  readonly init: Promise<number | undefined>;
  /** Resolves when none of its processes is left and its output has been read. Rejects if bubblewrap cannot be started. */
  readonly ended: Promise<Ending>;
  kill(): void;
}

/** Part of util-linux. */
export const prlimit = '/usr/bin/prlimit';
/** The kernel ends it first when the host is short of memory; it reaps orphaned processes. */
const waitingShell = 'echo 1000 >/proc/self/oom_score_adj; "$@"; exit $?';
const lastResortMs = 500;
const niceness = 10;
const argumentsAt = 3;
const filterAt = 4;
const statusAt = 5;
const firstAttached = 6;

export function launch(plan: LaunchPlan): Launched {
  const attached: Uint8Array[] = [];
  const view = plan.view((bytes) => String(firstAttached + attached.push(bytes) - 1));
  const numbers = ['--args', argumentsAt, '--'].map(String);
  const child = spawn(plan.bubblewrap, [...numbers, ...getInnerCommand(plan)], {
    cwd: '/',
    // The kernel shows the environment that a process started with to its children, even if it has been cleared since.
    env: {},
    // Its own session, so that signals from Helve's terminal do not reach it.
    detached: true,
    stdio: descriptors(firstAttached + attached.length, plan.inherited),
    ...plan.identity,
  });
  const ended = whenEnded(child);
  if (child.pid !== undefined) {
    yieldTo(child.pid);
    const options = [...view, '--seccomp', String(filterAt), '--json-status-fd', String(statusAt)];
    feed(child, argumentsAt, Buffer.from(`${options.join('\0')}\0`));
    feed(child, filterAt, seccompFilter(plan.architecture));
    for (const [index, bytes] of attached.entries()) feed(child, firstAttached + index, bytes);
  }
  feed(child, 0, Buffer.from(plan.stdin ?? ''));
  const status = readStatus(child);
  return {
    stdout: getStream(child, 1),
    stderr: getStream(child, 2),
    init: status.init,
    ended: ended.then(async () => ({ code: (await status.whole)['exit-code'] })),
    kill: () => kill(child, status.known()),
  };
}

function getInnerCommand({ kernelLimits, command }: LaunchPlan): string[] {
  return [prlimit, ...kernelLimits, '--', '/bin/sh', '-c', waitingShell, 'sh', ...command];
}

function whenEnded(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve());
  });
}

/** What bubblewrap reports: `child-pid` when the sandbox is ready, `exit-code` only if the command was started. */
type Status = Readonly<Partial<Record<'child-pid' | 'exit-code', number>>>;

function readStatus(child: ChildProcess) {
  let known: Status = {};
  let text = '';
  const stream = getStream(child, statusAt);
  const whole = new Promise<Status>((resolve) => stream.once('close', () => resolve(known)));
  const init = new Promise<number | undefined>((resolve) => {
    stream.on('data', (chunk: Buffer) => {
      const lines = (text + chunk.toString('utf8')).split('\n');
      text = lines.pop() ?? '';
      for (const line of lines) known = { ...known, ...statusIn(line) };
      if (known['child-pid'] !== undefined) resolve(known['child-pid']);
    });
    stream.once('close', () => resolve(known['child-pid']));
  });
  return { whole, init, known: () => known };
}

/** Some versions write empty lines. Lines that are no status are ignored. */
function statusIn(line: string): Status {
  try {
    return JSON.parse(line) as Status;
  } catch {
    return {};
  }
}

/** Kills the first process inside, which ends all others; bubblewrap itself is killed only if that had no effect. */
function kill(child: ChildProcess, status: Status): void {
  const init = status['child-pid'];
  const last = () => child.exitCode === null && child.signalCode === null && child.kill('SIGKILL');
  if (init === undefined || findParent(init) !== child.pid) {
    last();
    return;
  }
  try {
    process.kill(init, 'SIGKILL');
  } catch {
    last();
    return;
  }
  const timer = setTimeout(last, lastResortMs);
  child.once('exit', () => clearTimeout(timer));
}

/** Makes sure that no signal is sent to another process that has been given this number since. */
function findParent(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}

/** Called before bubblewrap has read its arguments, and so before it has any children, which inherit this. */
function yieldTo(pid: number): void {
  try {
    setPriority(pid, niceness);
  } catch (error) {
    process.emitWarning(`A command runs at Helve's own priority: ${errorMessage(error)}`);
  }
}

/** Gives bytes to a child by one of its descriptors. It does not matter if the reader has gone: the outcome is reported elsewhere. */
export function feed(child: ChildProcess, at: number, bytes: Uint8Array): void {
  const stream = child.stdio[at] as Writable;
  stream.on('error', () => undefined);
  // What was written can still be read, and a reader that never reads keeps nothing open here.
  stream.end(bytes, () => stream.destroy());
}

function getStream(child: ChildProcess, at: number): Readable {
  const stream = child.stdio[at] as Readable;
  stream.on('error', () => undefined);
  return stream;
}
