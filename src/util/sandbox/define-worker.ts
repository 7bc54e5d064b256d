/**
 * The one way to run our own code on untrusted bytes in a child process. A worker is a module next to the file that
 * defines it:
 *
 *     const search = defineWorker<typeof import('./search-json.js')>(import.meta.url, {
 *       module: './search-json.js',
 *       places: smallWork,
 *     });
 *     const matches = await workers.ask(search, { call: 'searchJson', message, heapMb: 256, timeoutMs: 2_000 });
 *
 * The module is imported in the process as it is, with its own imports, so it can be debugged, measured and bundled as
 * any other. It exports nothing but functions from one message to one answer (values that a structured clone can carry),
 * or to a promise of one. A `HelveError` that such a function throws reaches the caller as it is, without its cause; of
 * any other failure the caller learns only that there was one.
 *
 * A definition is data. The processes belong to a plane, which makes its `Workers` with `createWorkers` and closes them.
 */
import type { WorkerDefinition, WorkerPlaces } from '../../domain/workers.js';

export interface WorkerOptions<Memory> {
  /** The module, as an import in the defining file would name it: `./search-json.js`. */
  readonly module: string;
  readonly places: WorkerPlaces;
  /** What is remembered about a new process. Default: nothing. */
  readonly memory?: () => Memory;
  /** All the memory that a process may have, in megabytes, what lies outside of the heap included. Default: 400 more than the heap. */
  readonly residentMb?: number;
  /** How far a process gives way to others, from 0 to 19. Default: 0. */
  readonly niceness?: number;
  /** Whether there is no such process where bubblewrap cannot confine it. Default: Node's permission model will do. */
  readonly needsBubblewrap?: boolean;
}

/** For functions that keep nothing between two calls and are rarely called: few processes for all of them together. */
export const smallWork: WorkerPlaces = { most: 4, mostOfKey: 2, idleMs: 20_000 };

/** `from` is `import.meta.url` of the file that defines the worker. */
export function defineWorker<Module extends object, Memory = undefined>(
  from: string,
  options: WorkerOptions<Memory>,
): WorkerDefinition<Module, Memory> {
  const { module, places, residentMb, niceness = 0, needsBubblewrap = false } = options;
  const name = from.endsWith('.ts') ? module.replace(/\.js$/, '.ts') : module;
  return {
    entry: new URL(name, from).href,
    places,
    memory: options.memory ?? ((): Memory => undefined as Memory),
    residentMb,
    niceness,
    needsBubblewrap,
  };
}
