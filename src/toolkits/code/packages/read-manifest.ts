/** Reads the names of a package's dependencies from its manifest. */
import type { Workers } from '../../../domain/workers.js';
import { defineWorker, smallWork } from '../../../util/sandbox/define-worker.js';
import type { PackedPackage } from './unpack.js';

const worker = defineWorker<typeof import('./dependencies.js')>(import.meta.url, {
  module: './dependencies.js',
  places: smallWork,
});

/**
 * Returns a function from a package to the names of its dependencies. Throws `invalid_input` for an invalid package.
 */
export function createReader(workers: Workers, signal: AbortSignal): (packed: PackedPackage) => Promise<string[]> {
  return (message) =>
    workers.ask(worker, { call: 'listDependencies', message, heapMb: 256, timeoutMs: 20_000, signal });
}
