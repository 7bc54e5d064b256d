/** The worker processes of one plane: a pool for each set of places, made when it is first needed. */
import { HelveError } from '../../domain/errors.js';
import type { WorkerPlaces, Workers } from '../../domain/workers.js';
import { createWorkerPool, type WorkerPool } from './worker-pool.js';

export interface PlaneWorkers extends Workers {
  /** Ends every process; calls that still use one or wait for one fail with `shutting_down`. */
  close(): void;
}

export function createWorkers(): PlaneWorkers {
  const pools = new Map<WorkerPlaces, WorkerPool>();
  let closed = false;

  function findPool(places: WorkerPlaces): WorkerPool {
    if (closed) throw new HelveError('shutting_down', 'The work was not started because Helve is stopping');
    const known = pools.get(places);
    if (known) return known;
    const pool = createWorkerPool(places);
    pools.set(places, pool);
    return pool;
  }

  const use: Workers['use'] = async (worker, request, work) => findPool(worker.places).use(worker, request, work);
  return {
    use,
    ask: (worker, { call, message, ...request }) =>
      use(worker, request, (process) => process.ask(call, message, request)),
    close() {
      closed = true;
      for (const pool of pools.values()) pool.close();
    },
  };
}
