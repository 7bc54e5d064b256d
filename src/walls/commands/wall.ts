/**
 * The wall around commands: bubblewrap without privileges, kernel limits for each process, a watch over all of them
 * together, and a filter of system calls. Of the designs that were tried it is the only one from which none of 41
 * attempts escaped; if a machine cannot build it, nothing runs.
 */
import { HelveError } from '../../domain/errors.js';
import type { CommandLimits, CommandRequest, CommandResult, MachineCheck } from '../../domain/reach.js';
import type { Workers } from '../../domain/workers.js';
import { collect } from '../../util/collect-output.js';
import { joinSignals } from '../../util/join-signals.js';
import { type Launched, launch } from '../../util/sandbox/launch.js';
import { type Confinement, examineMachine, hostFacts, type MachineFacts } from '../../util/sandbox/machine.js';
import { viewArguments } from '../../util/sandbox/sandbox-view.js';
import { checkArguments, checkBlocked, resolveProgram } from './allowed.js';
import { checkCwd, checkFiles, checkReadPaths } from './read-paths.js';
import { type StopReason, setUpFailure, toResult } from './result.js';
import { watch } from './watch.js';
import { watchFolder } from './watch-folder.js';

export interface CommandWallLimits extends CommandLimits {
  /** Never mounted, even if allowed: Helve's own folder. */
  readonly hidden: readonly string[];
  /**
   * A folder of this machine that is the work folder and outlives the command. It belongs to `sandboxIdentity()`, and its caller
   * has put the request's files into it. Default: a new one in memory.
   */
  readonly work?: string;
}

export interface CommandWall {
  /** Throws as `CommandRunner.run`. */
  run(request: Omit<CommandRequest, 'key'>, limits: CommandWallLimits, signal: AbortSignal): Promise<CommandResult>;
  checks(): Promise<readonly MachineCheck[]>;
  close(): Promise<void>;
}

/** Each may use all the memory that its limits allow. */
const maxParallel = 16;
/** One shell waits in each sandbox. */
const waitingShells = 1;
/** A machine that could not confine commands may be fixed while Helve runs. */
const askAgainMs = 10_000;

/** `workers` compare long command lines with the blocked patterns. */
export function createCommandWall(workers: Workers, facts: MachineFacts = hostFacts()): CommandWall {
  const running = new Set<Promise<unknown>>();
  const confinement = askedOnce(() => examineMachine(facts));
  const closing = new AbortController();
  return {
    async run(request, limits, signal) {
      const plan = await prepare(request, limits, { workers, signal });
      const confined = await confinement();
      const over = [closing.signal, signal].find(({ aborted }) => aborted);
      if (over) throw cancelled(over);
      if (running.size >= maxParallel) {
        throw new HelveError('rate_limited', `${maxParallel} commands are running already`, {
          hint: 'Try again soon.',
        });
      }
      const started = start(plan, confined, limits);
      const ending = joinSignals(closing.signal, signal);
      const result = attend(started, plan.timeoutMs, limits, ending.signal);
      running.add(result);
      return result.finally(() => {
        running.delete(result);
        ending.leave();
      });
    },
    checks: async () => [await check(confinement)],
    async close() {
      closing.abort(new HelveError('shutting_down', 'The command was ended because Helve is stopping'));
      await Promise.allSettled(running);
    },
  };
}

function cancelled({ reason }: AbortSignal): HelveError {
  if (reason instanceof HelveError) return reason;
  return new HelveError('cancelled', 'The command was ended because the call was cancelled');
}

interface Plan {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly files: Readonly<Record<string, Uint8Array>>;
  readonly readPaths: readonly string[];
  readonly stdin: string | undefined;
  readonly timeoutMs: number;
}

/** Checks everything that can be refused without starting anything. */
async function prepare(
  request: CommandRequest,
  limits: CommandWallLimits,
  call: { readonly workers: Workers; readonly signal: AbortSignal },
): Promise<Plan> {
  const program = resolveProgram(checkArguments(request.argv), limits.allowedCommands);
  await checkBlocked(request.argv, limits.blockedPatterns, call);
  const readPaths = checkReadPaths(limits.readPaths, limits.hidden);
  return {
    command: [program, ...request.argv.slice(1)],
    cwd: checkCwd(request.cwd, readPaths),
    files: checkFiles(request.files, limits.diskMb),
    readPaths,
    stdin: request.stdin,
    timeoutMs: Math.min(request.timeoutMs ?? limits.timeoutMs, limits.timeoutMs),
  };
}

function start(plan: Plan, confined: Confinement, limits: CommandWallLimits): Launched {
  const { cwd, files, readPaths, stdin } = plan;
  return launch({
    ...confined,
    view: (attach) => viewArguments({ limits: { ...limits, readPaths }, cwd, files, work: limits.work, attach }),
    kernelLimits: kernelLimits(limits, confined),
    command: plan.command,
    stdin,
  });
}

/** Limits the data segment, not the address space: many programs reserve far more of that than they use. */
function kernelLimits(limits: CommandLimits, { countsProcessesPerSandbox }: Confinement): string[] {
  // If the user's other processes count too, only the watch limits the number of the sandbox's own.
  const processes = limits.processes + waitingShells + (countsProcessesPerSandbox ? 0 : 4_096);
  return [
    `--data=${limits.memoryMb * 1_048_576}`,
    `--cpu=${limits.cpuSeconds}:${limits.cpuSeconds + 1}`,
    `--nproc=${processes}`,
    `--fsize=${limits.diskMb * 1_048_576}`,
    '--nofile=256',
    '--core=0',
    '--memlock=65536',
    '--msgqueue=0',
    '--sigpending=1024',
  ];
}

/** Waits until none of its processes is left. */
async function attend(
  launched: Launched,
  timeoutMs: number,
  limits: CommandWallLimits,
  signal: AbortSignal,
): Promise<CommandResult> {
  const since = performance.now();
  let stopped: StopReason | undefined;
  const stop = (reason: StopReason) => {
    stopped ??= reason;
    launched.kill();
  };
  const stdout = collect(launched.stdout, limits.outputBytes, () => stop('output'));
  const stderr = collect(launched.stderr, limits.outputBytes, () => stop('output'));
  const cancel = () => stop('cancelled');
  const timer = setTimeout(() => stop('time'), timeoutMs);
  signal.addEventListener('abort', cancel, { once: true });
  const watching = launched.init.then((init) => (init === undefined ? undefined : watch(init, limits, stop)));
  const measuring = limits.work === undefined ? undefined : watchFolder(limits.work, limits.diskMb, () => stop('disk'));
  try {
    const { code } = await launched.ended;
    if (stopped === 'cancelled') throw cancelled(signal);
    if (code === undefined && stopped === undefined) throw setUpFailure(stderr.text());
    return toResult({ code, stopped, stdout, stderr, durationMs: Math.round(performance.now() - since) });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
    measuring?.stop();
    (await watching)?.stop();
  }
}

async function check(confinement: () => Promise<Confinement>): Promise<MachineCheck> {
  const name = 'commands';
  try {
    const { identity, countsProcessesPerSandbox } = await confinement();
    const user = identity ? `, as user ${identity.uid} because Helve runs as root` : '';
    const count = countsProcessesPerSandbox
      ? ''
      : '; the number of processes is limited only by watching, on this old kernel';
    return { check: name, ok: true, detail: `run_command is confined by bubblewrap${user}${count}` };
  } catch (error) {
    if (!(error instanceof HelveError)) throw error;
    return { check: name, ok: false, detail: `run_command is off. ${error.message}. ${error.hint ?? ''}`.trim() };
  }
}

/** A good result is cached, a bad one only for a while. */
function askedOnce<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined;
  return () => {
    answer ??= ask().catch((error: unknown) => {
      setTimeout(() => {
        answer = undefined;
      }, askAgainMs).unref();
      throw error;
    });
    return answer;
  };
}
