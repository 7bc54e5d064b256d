/** Documents are made in workers: the libraries work in one go, a large document takes seconds, and a worker can be ended. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Workers } from '../../domain/workers.js';
import { defineWorker } from '../../util/sandbox/define-worker.js';
import type { Rendered, RenderRequest } from './render/model.js';

const { resolve } = createRequire(import.meta.url);

const worker = defineWorker<typeof import('./render/index.js')>(import.meta.url, {
  module: './render/index.js',
  places: { most: 3, mostOfKey: 2, idleMs: 60_000 },
  residentMb: 1_200,
});

const limits = { timeoutMs: 45_000, heapMb: 768 };

/** Liberation Sans comes with pdfjs-dist, under a free licence: Latin, Greek and Cyrillic. */
function fontFiles(others: readonly string[]): RenderRequest['fonts'] {
  const folder = join(dirname(resolve('pdfjs-dist/package.json')), 'standard_fonts');
  const file = (style: string): string => join(folder, `LiberationSans-${style}.ttf`);
  return {
    regular: file('Regular'),
    bold: file('Bold'),
    italic: file('Italic'),
    boldItalic: file('BoldItalic'),
    others,
  };
}

export interface DocumentRequest extends Pick<RenderRequest, 'input' | 'at'> {
  readonly workspaceId: string;
  readonly fonts: readonly string[];
  readonly signal?: AbortSignal;
}

/** No process works for two workspaces. */
export function makeDocument(workers: Workers, request: DocumentRequest): Promise<Rendered> {
  const { workspaceId, fonts, signal, input, at } = request;
  return workers.ask(worker, {
    call: 'render',
    message: { input, at, fonts: fontFiles(fonts) },
    key: workspaceId,
    files: fonts.map((source) => ({ source })),
    signal,
    ...limits,
  });
}
