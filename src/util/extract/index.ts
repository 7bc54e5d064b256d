/** Reads sources in workers; each process works for one workspace. Toolkits use `readInWorker` and `readTextInWorker` only. */
import type { Workers } from '../../domain/workers.js';
import { defineWorker } from '../sandbox/define-worker.js';
import type { ReadAnswer, ReadRequest, TextAnswer, TextRequest } from './read.js';

const worker = defineWorker<typeof import('./read.js')>(import.meta.url, {
  module: './read.js',
  places: { most: 2, mostOfKey: 1, idleMs: 30_000 },
  residentMb: 1_500,
  packages: 'knowledge',
});

const limits = { heapMb: 768, timeoutMs: 30_000 };

export interface Reader {
  readonly workers: Workers;
  readonly signal: AbortSignal;
  readonly workspaceId: string;
}

/** Throws `invalid_input` for a broken source, `too_large` and `timeout` for one that takes too much memory or time. */
export function readInWorker(request: ReadRequest, { workers, signal, workspaceId }: Reader): Promise<ReadAnswer> {
  return workers.ask(worker, { call: 'readSource', message: request, key: workspaceId, signal, ...limits });
}

/**
 * Returns the text of a document, with a line before each page or sheet. Throws as `readInWorker` does, and also
 * `invalid_input` for a scanned PDF and `too_large` for a text of more than `maxChars` characters.
 */
export function readTextInWorker(request: TextRequest, { workers, signal, workspaceId }: Reader): Promise<TextAnswer> {
  return workers.ask(worker, { call: 'readText', message: request, key: workspaceId, signal, ...limits });
}
