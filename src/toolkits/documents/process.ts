/**
 * Documents are made in processes of their own: the libraries work in one go, a large document takes seconds, and
 * a process can be ended. The modules of `render/` are imported there as they are; from TypeScript sources, as
 * tests run them, a development dependency compiles each when it is imported.
 */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { refusedThere } from '../../util/process-refusal.js';
import { createProcessPool } from '../../util/sandbox/process-pool.js';
import { sourceHooks } from '../../util/source-hooks.js';
import type { RenderAnswer } from './render/index.js';
import type { Rendered, RenderRequest } from './render/model.js';

const { resolve } = createRequire(import.meta.url);
const fromSources = import.meta.url.endsWith('.ts');
const entry = new URL(fromSources ? './render/index.ts' : './render/index.js', import.meta.url).href;

const code = (): string => `
if (data.hooks) require('node:module').register('data:text/javascript,' + encodeURIComponent(data.hooks));
const rendering = import(data.entry);
rendering.catch(() => {});
return async (request) => (await rendering).render(request);`;

const processes = createProcessPool({
  code,
  data: { entry, hooks: sourceHooks(entry) },
  memory: () => undefined,
  most: 3,
  mostOfKey: 2,
  mostResidentMb: 1_200,
  idleMs: 60_000,
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
export async function makeDocument(request: DocumentRequest): Promise<Rendered> {
  const { workspaceId, fonts, signal, input, at } = request;
  const stop = signal === undefined ? {} : { signal };
  const message: RenderRequest = { input, at, fonts: fontFiles(fonts) };
  const files = fonts.map((source) => ({ source }));
  const answer = await processes.use({ key: workspaceId, heapMb: limits.heapMb, files, ...stop }, (process) =>
    process.ask<RenderAnswer>(message, { timeoutMs: limits.timeoutMs, ...stop }),
  );
  if (!('refusal' in answer)) return answer;
  throw refusedThere(answer.refusal);
}
