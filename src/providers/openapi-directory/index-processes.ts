/**
 * Documents are summarised in processes of their own: the largest take seconds and half a gigabyte, and a process can be
 * ended. From TypeScript sources, as tests run them, a development dependency compiles each module that is imported.
 */

import type { ProcessAnswer } from '../../util/process-refusal.js';
import { createProcessPool } from '../../util/sandbox/process-pool.js';
import { sourceHooks } from '../../util/source-hooks.js';
import type { DocumentSummary, SummaryRequest } from './summarise-document.js';

const fromSources = import.meta.url.endsWith('.ts');
const entry = new URL(fromSources ? './summarise-document.ts' : './summarise-document.js', import.meta.url).href;

/** Whoever calls a tool meanwhile goes first. */
const code = (): string => `
try { require('node:os').setPriority(10); } catch {}
if (data.hooks) require('node:module').register('data:text/javascript,' + encodeURIComponent(data.hooks));
const summarising = import(data.entry);
summarising.catch(() => {});
return async (request) => (await summarising).summariseDocument(request);`;

const processes = createProcessPool({
  code,
  data: { entry, hooks: sourceHooks(entry) },
  memory: () => undefined,
  most: 2,
  mostOfKey: 2,
  mostResidentMb: 1_500,
  idleMs: 10_000,
});

const limits = { timeoutMs: 120_000, heapMb: 1_024 };

export type Summarise = (request: SummaryRequest) => Promise<ProcessAnswer<DocumentSummary>>;

/** Throws `timeout` or `too_large` for a document that ended the process, `internal` where none can be had. */
export const summariseElsewhere: Summarise = (request) =>
  processes.use({ key: request.folder, heapMb: limits.heapMb, files: [{ source: request.folder }] }, (process) =>
    process.ask(request, { timeoutMs: limits.timeoutMs }),
  );
