/** JSONPath (RFC 9535) on a stored result, in a worker, because a model's query can take any amount of time. */
import type { JsonValue } from '../../domain/json.js';
import type { Workers } from '../../domain/workers.js';
import { defineWorker, smallWork } from '../../util/sandbox/define-worker.js';
import type { Matches } from './search-json.js';

export const mostMatches = 1_000;

const worker = defineWorker<typeof import('./search-json.js')>(import.meta.url, {
  module: './search-json.js',
  places: smallWork,
  residentMb: 1_024,
});

export interface ResultQuery {
  readonly value: JsonValue;
  readonly query: string;
  readonly signal: AbortSignal;
}

/**
 * Returns at most 1,000 matches. Throws `invalid_input` for a query that is not JSONPath, `timeout` for one that takes
 * over 5 s.
 */
export function queryJson(workers: Workers, { value, query, signal }: ResultQuery): Promise<Matches> {
  return workers.ask(worker, {
    call: 'searchJson',
    message: { text: JSON.stringify(value), query, most: mostMatches },
    heapMb: 256,
    timeoutMs: 5_000,
    signal,
  });
}
