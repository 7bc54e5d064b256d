/**
 * Makes documents in workers: the libraries block their thread, a large document takes seconds, and a worker can be
 * ended.
 */
import type { Workers } from '../../domain/workers.js';
import { defineWorker } from '../../util/sandbox/define-worker.js';
import type { Rendered, RenderRequest } from './render/model.js';

const worker = defineWorker<typeof import('./render/index.js')>(import.meta.url, {
  module: './render/index.js',
  places: { most: 3, mostOfKey: 2, idleMs: 60_000 },
  residentMb: 1_200,
  packages: 'documents',
});

const limits = { timeoutMs: 45_000, heapMb: 768 };

export interface DocumentRequest extends Pick<RenderRequest, 'input' | 'at'> {
  readonly workspaceId: string;
  readonly fonts: readonly string[];
  readonly signal?: AbortSignal;
}

/** Each process works for one workspace only. */
export function makeDocument(workers: Workers, request: DocumentRequest): Promise<Rendered> {
  const { workspaceId, fonts, signal, input, at } = request;
  return workers.ask(worker, {
    call: 'render',
    message: { input, at, fonts },
    key: workspaceId,
    files: fonts.map((source) => ({ source })),
    signal,
    ...limits,
  });
}
