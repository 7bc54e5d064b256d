/** The worker processes of one plane: a pool for each set of places, made when it is first needed. */
import { HelveError } from '../../domain/errors.js';
import type { WorkerDefinition, WorkerPlaces, WorkerRequest, Workers } from '../../domain/workers.js';
import { type PackageSetName, packagePlaces } from '../packages.js';
import { createShare } from '../share.js';
import { createWorkerPool, type WorkerPool } from './worker-pool.js';

export interface PlaneWorkers extends Workers {
  /** Ends every process; calls that still use one or wait for one fail with `shutting_down`. */
  close(): void;
}

export interface WorkersOptions {
  /** Where an operator may have added packages. */
  readonly dataDir?: string | undefined;
  /**
   * Workers that other planes use too. They answer single questions without a key, of workers without packages, and stay open; processes
   * with a key are always this plane's own.
   */
  readonly shared?: Workers | undefined;
}

export function createWorkers({ dataDir, shared }: WorkersOptions = {}): PlaneWorkers {
  const pools = new Map<WorkerPlaces, WorkerPool>();
  const share = createShare('The work was ended because Helve is stopping');
  let closed = false;

  function findPool(places: WorkerPlaces): WorkerPool {
    if (closed) throw new HelveError('shutting_down', 'The work was not started because Helve is stopping');
    const known = pools.get(places);
    if (known) return known;
    const pool = createWorkerPool(places);
    pools.set(places, pool);
    return pool;
  }

  const use: Workers['use'] = async (worker, request, work) =>
    findPool(worker.places).use(worker, withPackages(worker, request, dataDir), work);
  return {
    use,
    ask(worker, question) {
      const { call, message, ...request } = question;
      if (shared && request.key === undefined && worker.packages === undefined)
        return share.use(request.signal, (signal) => shared.ask(worker, { ...question, signal }));
      return use(worker, request, (process) => process.ask(call, message, request));
    },
    close() {
      closed = true;
      share.close();
      for (const pool of pools.values()) pool.close();
    },
  };
}

/** Shows the worker the packages that are installed now. A process that was started before they were added does not serve the request. */
function withPackages(
  { packages }: Pick<WorkerDefinition, 'packages'>,
  request: WorkerRequest,
  dataDir: string | undefined,
): WorkerRequest {
  if (packages === undefined) return request;
  const { key = '', files = [], heapMb, signal } = request;
  const places = packagePlaces(packages as PackageSetName, dataDir);
  const shown = places.map((source) => ({ source, packages: true }));
  return { heapMb, signal, key: `${key} ${places.join(':')}`, files: [...files, ...shown] };
}
