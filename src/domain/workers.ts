/**
 * Processes that work on bytes nobody vouches for: SQL of an agent, documents, HTML, patterns. A worker is a module of
 * Helve's own that is imported in such a process; what it exports are functions from one message to one answer, both of
 * them values that a structured clone can carry.
 */

/** How many processes there may be at once. Definitions that name the very same object share these places. */
export interface WorkerPlaces {
  /** Of all keys together. */
  readonly most: number;
  readonly mostOfKey: number;
  /** How long a process without work is kept, in milliseconds. */
  readonly idleMs: number;
}

/** The exports of a worker's module. */
export type WorkerModule = Readonly<Record<string, (message: never) => unknown>>;

/** The result of `defineWorker`. `Memory` is what the plane remembers about one process. */
export interface WorkerDefinition<Module extends object = WorkerModule, Memory = unknown> {
  /** `file:` address of the module. */
  readonly entry: string;
  readonly places: WorkerPlaces;
  readonly memory: () => Memory;
  readonly residentMb: number | undefined;
  readonly niceness: number;
  readonly needsBubblewrap: boolean;
  /** The set of packages (`util/packages.ts`) that its processes see if it is installed. */
  readonly packages: string | undefined;
  /** The type of the module; there is never a value. */
  readonly module?: Module;
}

/** A file or folder of the host that a worker sees. */
export interface WorkerFile {
  /** Absolute path on the host. */
  readonly source: string;
  /** Absolute path inside; absent: the same. Only bubblewrap can show a file elsewhere. */
  readonly target?: string;
  readonly writable?: boolean;
  /** Whether it is a `node_modules` folder in which the worker finds packages. */
  readonly packages?: boolean;
}

export interface WorkerRequest {
  /** No process ever serves two keys. Absent: for functions that keep nothing between two calls, whoever makes them. */
  readonly key?: string;
  /** Largest heap of JavaScript values, in megabytes. */
  readonly heapMb: number;
  /** What the process sees of the host's files. All requests of one key must name the same. */
  readonly files?: readonly WorkerFile[];
  readonly signal?: AbortSignal | undefined;
}

export interface QuestionLimits {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** The names of the functions that a worker's module exports. */
export type CallOf<Module> = keyof Module & string;

/** What the function of that name takes. */
export type MessageOf<Module, Call extends CallOf<Module>> = Module[Call] extends (message: infer Message) => unknown
  ? Message
  : never;

/** What it answers. */
export type AnswerOf<Module, Call extends CallOf<Module>> = Module[Call] extends (message: never) => infer Answer
  ? Awaited<Answer>
  : never;

export interface WorkerProcess<Module extends object = WorkerModule, Memory = unknown> {
  /** What its users remember about the state of the process; it ends with the process. */
  readonly memory: Memory;
  /**
   * Calls one function of the module. Throws the `HelveError` that the function threw; `timeout`, `too_large` (out of
   * memory or of stack) or `cancelled`, each of which ends the process; `internal` for anything else.
   */
  ask<Call extends CallOf<Module>>(
    call: Call,
    message: MessageOf<Module, Call>,
    limits: QuestionLimits,
  ): Promise<AnswerOf<Module, Call>>;
}

/** One question to whichever process of the key is free. */
export interface WorkerQuestion<Module extends object, Call extends CallOf<Module>>
  extends WorkerRequest,
    QuestionLimits {
  readonly call: Call;
  readonly message: MessageOf<Module, Call>;
}

/** The worker processes of one plane. They are started when they are first needed and end with the plane. */
export interface Workers {
  /** One user at a time has a process. Throws `cancelled`, `shutting_down`, or `invalid_config` where the worker needs bubblewrap and there is none. */
  use<Module extends object, Memory, Result>(
    worker: WorkerDefinition<Module, Memory>,
    request: WorkerRequest,
    work: (process: WorkerProcess<Module, Memory>) => Promise<Result>,
  ): Promise<Result>;
  /** `use` for a single question. */
  ask<Module extends object, Call extends CallOf<Module>>(
    worker: WorkerDefinition<Module>,
    question: WorkerQuestion<Module, Call>,
  ): Promise<AnswerOf<Module, Call>>;
}
