/**
 * Starts bubblewrap and ends it. Inside, a shell is the first process of a process namespace of its own: when it ends,
 * the kernel ends everything else in there, whatever it ignores or however it detached itself. bubblewrap waits for that
 * before it goes, so that its own end means that nothing is left.
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
  /** Descriptors that would reach the command by mistake, and one that leads nowhere. */
  readonly inherited: Inherited;
  readonly bubblewrap: string;
  readonly architecture: 'x64' | 'arm64';
  /** Who to become first; undefined: stay who we are, which must not be root. */
  readonly identity: Identity | undefined;
  /** Arguments of bubblewrap; `attach` gives the number of a descriptor that it reads these bytes from. */
  readonly view: (attach: (bytes: Uint8Array) => string) => readonly string[];
  /** Arguments of prlimit. They hold for the shell that waits too, because a command can get into that one. */
  readonly kernelLimits: readonly string[];
  /** Program and arguments. */
  readonly command: readonly string[];
  readonly stdin: string | undefined;
}

export interface Ending {
  /** As a shell would put it: 128 and the signal's number when a signal ended it. Undefined: the command never started. */
  readonly code: number | undefined;
}

export interface Launched {
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** The first process inside, as numbered out here; undefined if it never came to be. */
  readonly init: Promise<number | undefined>;
  /** Nothing of it is left, and its output has been read. Rejects when bubblewrap cannot be started. */
  readonly ended: Promise<Ending>;
  kill(): void;
}

/** Of util-linux. */
export const prlimit = '/usr/bin/prlimit';
/** Gives way to the host under pressure, and reaps what is orphaned. */
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
  const child = spawn(plan.bubblewrap, [...numbers, ...insideOf(plan)], {
    cwd: '/',
    // The kernel shows a process's first environment to its children, whatever it cleared since.
    env: {},
    // Its own session: what a terminal sends to Helve is not for it.
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

function insideOf({ kernelLimits, command }: LaunchPlan): string[] {
  return [prlimit, ...kernelLimits, '--', '/bin/sh', '-c', waitingShell, 'sh', ...command];
}

function whenEnded(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve());
  });
}

/** What bubblewrap tells of itself: `child-pid` once it stands, `exit-code` only if the command was started. */
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

/** Some versions write empty lines. What is no status says nothing. */
function statusIn(line: string): Status {
  try {
    return JSON.parse(line) as Status;
  } catch {
    return {};
  }
}

/** The first process inside, which takes all others with it; bubblewrap itself only if that did not help. */
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

/** So that a number which meanwhile belongs to somebody else is never sent a signal. */
function findParent(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}

/** Before bubblewrap has read its arguments, and so before it has any children, which inherit this. */
function yieldTo(pid: number): void {
  try {
    setPriority(pid, niceness);
  } catch (error) {
    process.emitWarning(`A command runs at Helve's own priority: ${errorMessage(error)}`);
  }
}

/** A reader that is gone does not matter: how it went is told elsewhere. */
function feed(child: ChildProcess, at: number, bytes: Uint8Array): void {
  const stream = child.stdio[at] as Writable;
  stream.on('error', () => undefined);
  stream.end(bytes);
}

function getStream(child: ChildProcess, at: number): Readable {
  const stream = child.stdio[at] as Readable;
  stream.on('error', () => undefined);
  return stream;
}
