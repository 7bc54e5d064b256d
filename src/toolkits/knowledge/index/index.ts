/** The index of a workspace, in a process of its own: kept up to date by what the store says has changed. */
import { createProcessPool, type PooledProcess } from '../../../util/sandbox/process-pool.js';
import { addressOf, askSandbox, sandboxCode } from '../sandbox.js';
import type { KnowledgeContext } from '../shapes.js';
import { isAllowed } from '../sources.js';
import * as ask from './ask.js';
import * as find from './find.js';
import * as keep from './keep.js';
import type { Hit, Kit } from './kit.js';
import * as words from './words.js';

export type { Hit, Scope } from './kit.js';

const parts = { ...ask, ...find, ...keep, ...words, isAllowed };
parts satisfies Omit<Kit, 'load' | 'refuse' | 'data' | 'state'>;

type Held = Pick<Kit, 'state'> & Pick<typeof keep, 'addSources' | 'listSources'> & Pick<typeof ask, 'searchIndex'>;
declare const kit: Held;

function answer(message: ask.IndexMessage): unknown {
  if (message.act === 'add') return kit.addSources(message.sources, message.removed);
  if (message.act === 'list') return kit.listSources(message.scope, message.after, message.most);
  return kit.searchIndex(message);
}

const emptyState = `kit.state = { sources: new Map(), elements: new Map(), words: undefined, formulas: undefined, nextId: 1 };`;

interface Memory {
  /** Version by path. */
  readonly versions: Map<string, number>;
  revision: number;
}

const indexes = createProcessPool<Memory>({
  code: () => sandboxCode(parts, answer).replace('const answer =', `${emptyState}\nconst answer =`),
  get data() {
    return { minisearch: addressOf('minisearch') };
  },
  memory: () => ({ versions: new Map(), revision: 0 }),
  most: 4,
  mostOfKey: 1,
  idleMs: 600_000,
});

type Context = Pick<KnowledgeContext, 'documents' | 'signal' | 'caller' | 'settings' | 'progress'>;
type SearchMessage = Exclude<ask.IndexMessage, { act: 'add' | 'list' }>;

const timeoutMs = 60_000;
const batch = 20;

export function askIndex(context: Context, message: SearchMessage): Promise<{ hits: Hit[]; without: number }> {
  return inIndex(context, message);
}

export function listIndexed(
  context: Context,
  message: Omit<Extract<ask.IndexMessage, { act: 'list' }>, 'act'>,
): Promise<ReturnType<typeof keep.listSources>> {
  return inIndex(context, { act: 'list', ...message });
}

function inIndex<Answer>(context: Context, message: ask.IndexMessage): Promise<Answer> {
  const { caller, settings, signal } = context;
  const place = { key: caller.workspaceId, heapMb: settings.index_memory_mb, signal };
  return indexes.use(place, async (process) => {
    await bringUpToDate(context, process);
    return askSandbox<Answer>(process, message, { timeoutMs: 15_000, signal });
  });
}

/** What was written is read in the order in which it was written; what is gone is found by a list of what is there. */
async function bringUpToDate(context: Context, process: PooledProcess<Memory>): Promise<void> {
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
    await askSandbox(process, { act: 'add', sources, removed: [] }, limits);
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
  if (removed.length > 0) await askSandbox(process, { act: 'add', sources: [], removed }, limits);
  for (const path of removed) memory.versions.delete(path);
  memory.revision = revision;
}
