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
 * or to a promise of one. If such a function throws a `HelveError`, the caller gets it, without its cause. For any other failure,
 * the caller learns only that there was one.
 *
 * A definition is data. The processes belong to a plane, which makes its `Workers` with `createWorkers` and closes them.
 */
import type { WorkerDefinition, WorkerPlaces } from '../../domain/workers.js';
import type { PackageSetName } from '../packages.js';

export interface WorkerOptions<Memory> {
  /** The module, as an import in the defining file would name it: `./search-json.js`. */
  readonly module: string;
  readonly places: WorkerPlaces;
  /** What is remembered about a new process. Default: nothing. */
  readonly memory?: () => Memory;
  /** Maximum memory of a process in megabytes, including memory outside the heap. Default: 400 more than the heap. */
  readonly residentMb?: number;
  /** The niceness of a process, from 0 to 19. Default: 0. */
  readonly niceness?: number;
  /** Whether only bubblewrap may confine the process. Default: where it cannot, Node's permission model does. */
  readonly needsBubblewrap?: boolean;
  /** The set of packages that it uses with `requirePackage` where they are installed. */
  readonly packages?: PackageSetName;
}

/** For rarely called functions that keep nothing between two calls: they share a few processes. */
export const smallWork: WorkerPlaces = { most: 4, mostOfKey: 2, idleMs: 20_000 };

/** `from` is `import.meta.url` of the file that defines the worker. */
export function defineWorker<Module extends object, Memory = undefined>(
  from: string,
  options: WorkerOptions<Memory>,
): WorkerDefinition<Module, Memory> {
  const { module, places, residentMb, niceness = 0, needsBubblewrap = false, packages } = options;
  const name = from.endsWith('.ts') ? module.replace(/\.js$/, '.ts') : module;
  return {
    entry: new URL(name, from).href,
    places,
    memory: options.memory ?? ((): Memory => undefined as Memory),
    residentMb,
    niceness,
    needsBubblewrap,
    packages,
  };
}
