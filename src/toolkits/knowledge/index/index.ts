/** The index of a workspace, in a worker of its own, which is kept up to date with the changes in the store. */
import type { WorkerProcess } from '../../../domain/workers.js';
import { defineWorker } from '../../../util/sandbox/define-worker.js';
import type { KnowledgeContext } from '../shapes.js';
import type { ListMessage } from './answer.js';
import type { SearchMessage } from './ask.js';
import type { listSources } from './keep.js';
import type { Hit } from './model.js';

export type { Hit, Scope } from './model.js';

interface Memory {
  /** Version by path. */
  readonly versions: Map<string, number>;
  revision: number;
}

type Index = typeof import('./answer.js');
type IndexProcess = WorkerProcess<Index, Memory>;

const worker = defineWorker<Index, Memory>(import.meta.url, {
  module: './answer.js',
  places: { most: 4, mostOfKey: 1, idleMs: 600_000 },
  memory: () => ({ versions: new Map(), revision: 0 }),
});

interface Context
  extends Pick<KnowledgeContext, 'documents' | 'signal' | 'caller' | 'settings' | 'progress' | 'workers'> {
  /** Name of the documents, if they are not those of the knowledge toolkit: each space has an index of its own. */
  readonly space?: string;
}

const timeoutMs = 60_000;
const answerMs = 15_000;
const batch = 20;

export function askIndex(context: Context, message: SearchMessage): Promise<{ hits: Hit[]; without: number }> {
  return inIndex(context, (process) => process.ask('search', message, { timeoutMs: answerMs, signal: context.signal }));
}

export function listIndexed(context: Context, message: ListMessage): Promise<ReturnType<typeof listSources>> {
  return inIndex(context, (process) => process.ask('list', message, { timeoutMs: answerMs, signal: context.signal }));
}

function inIndex<Answer>(context: Context, ask: (process: IndexProcess) => Promise<Answer>): Promise<Answer> {
  const { caller, settings, signal, space, workers } = context;
  const key = space === undefined ? caller.workspaceId : `${caller.workspaceId} ${space}`;
  const place = { key, heapMb: settings.index_memory_mb, signal };
  return workers.use(worker, place, async (process) => {
    await bringUpToDate(context, process);
    return ask(process);
  });
}

/**
 * Changes are read in the order in which they were written; removals are found by comparing with a list of existing
 * paths.
 */
async function bringUpToDate(context: Context, process: IndexProcess): Promise<void> {
  const { documents, signal, progress } = context;
  const { memory } = process;
  const revision = await documents.revision();
  if (memory.revision === revision) return;
  const limits = { timeoutMs, signal };
  let since = memory.revision;
  for (;;) {
    const page = await documents.changes({ since, limit: batch });
    if (page.length === 0) break;
    const sources = page.map(({ path, hash, updatedAt, content }) => ({ path, hash, updatedAt, content }));
    await process.ask('add', { sources, removed: [] }, limits);
    for (const { path, version } of page) memory.versions.set(path, version);
    since = page.at(-1)?.version ?? since;
    if (memory.versions.size % 200 === 0) progress({ progress: memory.versions.size, message: 'sources indexed' });
  }
  const present = new Set<string>();
  for (let after: string | undefined; ; ) {
    const page = await documents.list(after === undefined ? {} : { after });
    for (const { path } of page) present.add(path);
    after = page.at(-1)?.path;
    if (page.length < 1_000) break;
  }
  const removed = [...memory.versions.keys()].filter((path) => !present.has(path));
  if (removed.length > 0) await process.ask('add', { sources: [], removed }, limits);
  for (const path of removed) memory.versions.delete(path);
  memory.revision = revision;
}
