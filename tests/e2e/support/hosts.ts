/** Processes as on several hosts: each with its own host name, pid namespace and clock. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { findUnshare } from '../../../src/testing/unshare.js';

const script = fileURLToPath(new URL('host.js', import.meta.url));
const unshare = findUnshare('--uts', '--pid', '--fork', '--mount-proc', '--kill-child');

/** Why hosts cannot be simulated here; undefined if they can. */
export function findHostObstacle(): string | undefined {
  if (!unshare) return 'unshare (util-linux) cannot make namespaces here';
  if (spawnSync('faketime', ['-f', '+1s', 'true']).status !== 0) return 'faketime is not installed';
  return undefined;
}

export interface HostEvent {
  readonly event: 'ready' | 'running' | 'result' | 'log';
  readonly at?: string;
  readonly text?: string;
  readonly ok?: boolean;
  readonly code?: string;
}

export interface Host {
  readonly events: readonly HostEvent[];
  /** The next event of this kind that no one has waited for yet. */
  next(event: HostEvent['event']): Promise<HostEvent>;
  say(word: 'call' | 'finish' | 'end'): void;
  /** Stops the process, as on a paused machine. */
  pause(): void;
  resume(): void;
  kill(): Promise<void>;
}

export interface HostOptions {
  readonly name: string;
  /** In faketime's format: `-120s`. Without it, the clock of this machine, and no faketime. */
  readonly clock?: string;
  readonly database: string;
  readonly vaultKeys: string;
  readonly heartbeatMs: number;
}

export function startHost({ name, clock, ...options }: HostOptions): Host {
  // faketime names its shared memory by pid, and the pids of two namespaces are the same.
  const steps = 'hostname "$0" && mount -t tmpfs tmpfs /dev/shm && exec "$@"';
  const timed = clock === undefined ? [] : ['faketime', '-f', clock];
  const [program = '', ...words] = unshare ?? [];
  const child = spawn(program, [...words, 'sh', '-c', steps, name, ...timed, process.execPath, script], {
    // The temporary folder of the tests may be in the shared memory that the host does not see.
    // Only the wall clock is different: time passes at the usual rate.
    env: { ...process.env, TMPDIR: '/tmp', HOST: JSON.stringify(options), FAKETIME_DONT_FAKE_MONOTONIC: '1' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const events: HostEvent[] = [];
  const waited = new Map<string, number>();
  const waiting = new Set<() => void>();
  const wake = (): void => {
    for (const look of waiting) look();
  };
  createInterface({ input: child.stdout }).on('line', (line) => {
    events.push(JSON.parse(line) as HostEvent);
    wake();
  });
  child.once('exit', wake);
  return {
    events,
    next: (event) =>
      new Promise((resolve, reject) => {
        const place = waited.get(event) ?? 0;
        waited.set(event, place + 1);
        const look = (): void => {
          const found = events.filter((one) => one.event === event)[place];
          if (found === undefined && child.exitCode === null && child.signalCode === null) return;
          waiting.delete(look);
          if (found) resolve(found);
          else reject(new Error(`The host ${name} has ended without ${event}`));
        };
        waiting.add(look);
        look();
      }),
    say: (word) => void child.stdin.write(`${word}\n`),
    pause: () => void process.kill(innerPid(child), 'SIGSTOP'),
    resume: () => void process.kill(innerPid(child), 'SIGCONT'),
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** The pid, outside the namespace, of the Node process that `unshare` started. */
function innerPid({ pid = 0 }: ChildProcess): number {
  const node = realpathSync(process.execPath);
  for (let at = pid; ; ) {
    at = Number(readFileSync(`/proc/${at}/task/${at}/children`, 'utf8').trim().split(' ')[0]);
    if (!Number.isInteger(at) || at <= 0) throw new Error('The host has no process');
    if (readlinkSync(`/proc/${at}/exe`) === node) return at;
  }
}
