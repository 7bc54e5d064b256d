/** The sandbox for untrusted programs: what its caller gives and gets. */
import type { JsonValue } from './json.js';

/** Each is enforced outside the guest; those that the guest can see are enforced inside as well. */
export interface SandboxLimits {
  /** Time in which the program itself runs, summed over all its turns. */
  readonly cpuMs: number;
  /** From the start of the program to its end. Before that, it may wait for a place: as long again, but at least 30 s. */
  readonly wallMs: number;
  readonly memoryMb: number;
  readonly stackKb: number;
  readonly codeBytes: number;
  readonly calls: number;
  readonly callsInFlight: number;
  readonly argumentBytes: number;
  readonly resultBytes: number;
  readonly logBytes: number;
  readonly valueBytes: number;
  /** Pending `setTimeout` and `sleep`. */
  readonly timers: number;
}

export type LimitName = keyof SandboxLimits;

export interface CallFacts {
  /** Calls are numbered from 0 in the order in which the program makes them. */
  readonly index: number;
  /** Aborted when the run ends, since nobody waits for the answer then. */
  readonly signal: AbortSignal;
}

export interface TimerFacts {
  /** Timers are numbered from 0 in the order in which the program starts them, so the same program starts the same ones. */
  readonly id: number;
  /** Which function of the program started it. */
  readonly by: 'sleep' | 'setTimeout';
}

export interface RunRequest {
  /** JavaScript: the body of an async function. */
  readonly code: string;
  /**
   * Calls a tool. `name` is text from the guest, and with `env.call(name, …)` it may be any text of up to 200 characters:
   * look it up as an own property. What it answers is JSON text. If it rejects, the program sees an Error with the `name`,
   * `message`, `code`, `hint`, `retryable` and `details` of the reason, and nothing else of it. `details` is JSON of up to
   * 8 KB; it is left out if it is anything else.
   */
  call(name: string, argumentsJson: string, facts: CallFacts): Promise<string>;
  readonly limits?: Partial<SandboxLimits>;
  /**
   * Runs of different tenants never share a thread or a process at the same time. Absent: the run shares with no other.
   */
  readonly tenant?: string;
  /**
   * `{ github: { createIssue: 'github__create_issue' } }`: `env.github.createIssue(…)` and `github.createIssue(…)`. A
   * namespace named `call` is a global variable only: `env.call` calls a tool by its name.
   */
  readonly namespaces?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Constants that the program sees as global variables. */
  readonly globals?: Readonly<Record<string, JsonValue>>;
  /**
   * From a specifier to the source of an ECMAScript module: what `import(…)` finds, and nothing else does it find. The source
   * is as untrusted as the program, and counts against its limits of time and memory.
   */
  readonly modules?: Readonly<Record<string, string>>;
  /** The guest's clock, in milliseconds: read once at the start and once for each answer or timer that is delivered. */
  readonly now?: number | (() => number);
  /** Decides all of the program's random numbers. Absent: they differ each time. */
  readonly seed?: number;
  /** Waits for the program's `sleep` and `setTimeout`. Absent: the clock of this machine. */
  sleep?(ms: number, signal: AbortSignal, facts: TimerFacts): Promise<void>;
  readonly signal?: AbortSignal;
  /**
   * Called with true if the program has to wait for its place, and then with false, after which it begins, or ends if it got none. The
   * program waits for the promise, which must not reject.
   */
  onQueue?(isQueued: boolean): Promise<void>;
  /** Called whenever the program can do nothing until an answer or a timer is delivered. */
  onIdle?(): void;
}

export interface LogLine {
  readonly level: 'log' | 'info' | 'warn' | 'error' | 'debug';
  readonly text: string;
}

/**
 * `neighbour`: another program of the same tenant did not stop, and their thread was ended. `failed`: its thread or process ended by
 * itself, or was killed. `closed`: the sandbox was closed. `waiting`: all places were taken for too long, and it did not begin.
 */
export type PlaceLoss = 'neighbour' | 'failed' | 'closed' | 'waiting';

export interface RunError {
  /** `LimitError` for a limit; `SandboxError` for an end that the program did not cause; otherwise the program's own. */
  readonly name: string;
  readonly message: string;
  readonly code?: string;
  /** Present only if the program lost its place, which it cannot say itself: it can run again. */
  readonly loss?: PlaceLoss;
  readonly hint?: string;
  readonly limit?: LimitName;
  /** Where in `code`, from 1. */
  readonly line?: number;
  readonly column?: number;
}

export interface RunResult {
  readonly ok: boolean;
  /** Absent if the program returned nothing. */
  readonly value?: JsonValue;
  readonly error?: RunError;
  readonly logs: readonly LogLine[];
  /** How long the program itself ran. */
  readonly cpuMs: number;
  readonly calls: number;
}

export interface SandboxOptions {
  /** `worker`: threads of this process. `process`: a confined process for each run, started before it is needed. */
  readonly isolation?: 'worker' | 'process';
  /** Threads, or processes, at the same time. Default: 4. */
  readonly places?: number;
}

/** The sandbox as a tool uses it: bound to the workspace of its caller, and to the call. */
export interface ProgramRunner {
  /** Never rejects. */
  run(request: Omit<RunRequest, 'tenant' | 'signal'>): Promise<RunResult>;
}

export interface Sandbox {
  /** Never rejects. */
  run(request: RunRequest): Promise<RunResult>;
  /** Ends all runs, and the threads or processes. */
  close(): Promise<void>;
}
