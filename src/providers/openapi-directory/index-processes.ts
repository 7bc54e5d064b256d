/**
 * Summarises documents in workers: the largest take seconds and half a gigabyte, and a worker can be ended. The workers have
 * low priority, because tool calls go first.
 */
import type { Workers } from '../../domain/workers.js';
import { defineWorker } from '../../util/sandbox/define-worker.js';
import type { SummaryAnswer, SummaryRequest } from './summarise-document.js';

const worker = defineWorker<typeof import('./summarise-document.js')>(import.meta.url, {
  module: './summarise-document.js',
  places: { most: 2, mostOfKey: 2, idleMs: 10_000 },
  residentMb: 1_500,
  niceness: 10,
});

const limits = { timeoutMs: 120_000, heapMb: 1_024 };

/** Throws `timeout` or `too_large` for a document that ended the process, `internal` where none can be had. */
export type Summarise = (request: SummaryRequest) => Promise<SummaryAnswer>;

export function createSummarise(workers: Workers): Summarise {
  return (message) =>
    workers.ask(worker, {
      call: 'summariseDocument',
      message,
      key: message.folder,
      files: [{ source: message.folder }],
      ...limits,
    });
}
