/**
 * Documents in Helve's own store, parsed and queried in the engine's processes. A process keeps the documents that it
 * has parsed and receives only changes: by version for queries, by the store's revision for the search index.
 */
import { HelveError } from '../../domain/errors.js';
import type { DocumentFacts } from '../../domain/reach.js';
import { sha256 } from '../../util/hash.js';
import { type EngineProcess, type IndexedText, queryWorker, searchWorker } from './engine/index.js';
import type { LibrarianContext, Library, Queried } from './library.js';
import { isAllowed } from './paths.js';
import type { LibrarianConfig } from './shapes.js';

const maxDepth = 256;
const mostItems = 1_000;
const mostChars = 4_000_000;
/** Number of documents that are sent at once: the time limit is for each batch, not for the whole library. */
const batch = 50;
const batchTimeoutMs = 20_000;
const indexHeapMb = 512;
/** Time limit for one document: its shape is checked first, so the time grows only with its size. */
const checkTimeoutMs = 5_000;

export function openEmbedded(context: LibrarianContext): Library {
  const { documents, config, signal, caller, workers } = context;
  const limits = { allowed: config.allowed_collections };
  const place = { key: caller.workspaceId, heapMb: config.memory_mb, signal };
  const timeoutMs = config.query_timeout_seconds * 1_000;

  return {
    async store(path, content) {
      const message = { content, maxDepth };
      await workers
        .ask(queryWorker, { ...place, call: 'check', message, timeoutMs: checkTimeoutMs })
        .catch((error: unknown) => explain(error, { ...config, query_timeout_seconds: checkTimeoutMs / 1_000 }));
      await documents.put({ path, mediaType: 'application/xml', hash: sha256(content), content });
    },
    get: async (path) => (await documents.get(path))?.content,
    delete: (path) => documents.delete(path),
    async list(collection, limit) {
      const facts = (await getFacts(context, collection)).filter(({ path }) => isAllowed(limits, path));
      const shown = facts.slice(0, limit).map(({ path, updatedAt }) => ({ path, updated_at: updatedAt }));
      return { documents: shown, truncated: facts.length > limit };
    },
    async query(query, collection, variables) {
      const present = await getFacts(context, collection);
      const facts = present.filter(({ path }) => isAllowed(limits, path));
      const once = (): Promise<Queried> =>
        workers.use(queryWorker, place, async (process) => {
          crowded = process.memory.versions.size > facts.length;
          await forget(context, process, collection, present);
          const paths = await bringUpToDate(context, process, facts);
          const request = { query, paths, variables, mostItems, mostChars };
          return process.ask('query', request, { timeoutMs, signal });
        });
      let crowded = false;
      return once()
        .catch((error: unknown) => {
          // Documents of earlier queries may have used up the memory, so try once more in an empty process.
          if (crowded && error instanceof HelveError && error.code === 'too_large') return once();
          throw error;
        })
        .catch((error: unknown) => explain(error, config));
    },
    async search(query, collection, most) {
      const allowed = limits.allowed && (await getFacts(context, collection)).map(({ path }) => path);
      const paths = allowed?.filter((path) => isAllowed(limits, path));
      const prefix = collection === undefined ? undefined : `${collection}/`;
      return workers.use(searchWorker, { ...place, heapMb: indexHeapMb }, async (process) => {
        await bringIndexUpToDate(context, process);
        return process.ask('search', { query, prefix, paths, most }, { timeoutMs, signal });
      });
    },
  };
}

/** Explains an error with the fields of the tool's configuration. */
function explain(error: unknown, { memory_mb, query_timeout_seconds }: LibrarianConfig): never {
  const code = error instanceof HelveError ? error.code : undefined;
  if (code === 'timeout') {
    throw new HelveError('timeout', `The work did not end within ${query_timeout_seconds} s`, {
      hint: 'Name a collection, or ask for less: filter early, avoid joins over //node().',
    });
  }
  if (code === 'too_large' && error instanceof HelveError && error.message.includes('memory')) {
    throw new HelveError('too_large', `The query or its documents need more than ${memory_mb} MB`, {
      hint: 'Name a collection, or ask for less at once.',
    });
  }
  throw error;
}

/** Everything below a collection, by path. */
async function getFacts({ documents }: LibrarianContext, collection: string | undefined): Promise<DocumentFacts[]> {
  const prefix = collection === undefined ? '' : `${collection}/`;
  const facts: DocumentFacts[] = [];
  for (let page = await documents.list({ prefix }); page.length > 0; ) {
    facts.push(...page);
    if (page.length < 1_000) break;
    page = await documents.list({ prefix, after: page.at(-1)?.path ?? '' });
  }
  return facts;
}

/** Documents that no longer exist are removed from the process too. */
async function forget(
  { signal }: LibrarianContext,
  process: EngineProcess,
  collection: string | undefined,
  present: readonly DocumentFacts[],
): Promise<void> {
  const { versions } = process.memory;
  const known = new Set(present.map(({ path }) => path));
  const prefix = collection === undefined ? '' : `${collection}/`;
  const forgotten = [...versions.keys()].filter((path) => path.startsWith(prefix) && !known.has(path));
  if (forgotten.length === 0) return;
  await process.ask('load', { documents: [], forgotten }, { timeoutMs: batchTimeoutMs, signal });
  for (const path of forgotten) versions.delete(path);
}

/** Updates the process to the current versions of these documents. Returns the paths of those that still exist. */
async function bringUpToDate(
  context: LibrarianContext,
  process: EngineProcess,
  facts: readonly DocumentFacts[],
): Promise<string[]> {
  const { documents, signal } = context;
  const { versions } = process.memory;
  const missing = facts.filter(({ path, version }) => versions.get(path) !== version);
  const gone = new Set<string>();
  let pending: IndexedText[] = [];
  const send = async (): Promise<void> => {
    const loaded = pending;
    pending = [];
    if (loaded.length === 0) return;
    await process.ask('load', { documents: loaded, forgotten: [] }, { timeoutMs: batchTimeoutMs, signal });
    for (const { path, version } of loaded) versions.set(path, version);
  };
  const take = async ({ path, version, content }: IndexedText): Promise<void> => {
    pending.push({ path, version, content });
    if (pending.length >= batch) await send();
  };
  const left = new Set(missing.map(({ path }) => path));
  // Many documents are read page by page in the order in which they were written; a few are read one by one.
  if (missing.length > batch) {
    let since = Math.min(...missing.map(({ version }) => version)) - 1;
    const last = Math.max(...missing.map(({ version }) => version));
    while (since < last && left.size > 0) {
      const page = await documents.changes({ since, limit: batch });
      for (const document of page) if (left.delete(document.path)) await take(document);
      since = page.at(-1)?.version ?? last;
    }
  }
  for (const path of left) {
    const document = await documents.get(path);
    if (document) await take(document);
    else gone.add(path);
  }
  await send();
  return facts.map(({ path }) => path).filter((path) => !gone.has(path));
}

async function bringIndexUpToDate(context: LibrarianContext, process: EngineProcess): Promise<void> {
  const { documents, signal, progress } = context;
  const { memory } = process;
  // Read first, so that changes made during the update are seen the next time.
  const revision = await documents.revision();
  if (memory.revision === revision) return;
  const limits = { timeoutMs: batchTimeoutMs, signal };
  let since = memory.revision;
  for (let page = await documents.changes({ since, limit: batch }); page.length > 0; ) {
    const added = page.map(({ path, version, content }) => ({ path, version, content }));
    await process.ask('index', { added, removed: [] }, limits);
    for (const { path, version } of added) memory.versions.set(path, version);
    since = page.at(-1)?.version ?? since;
    progress({ progress: memory.versions.size, message: 'Indexing documents' });
    page = await documents.changes({ since, limit: batch });
  }
  const present = new Set((await getFacts(context, undefined)).map(({ path }) => path));
  const removed = [...memory.versions.keys()].filter((path) => !present.has(path));
  if (removed.length > 0) {
    await process.ask('index', { added: [], removed }, limits);
    for (const path of removed) memory.versions.delete(path);
  }
  memory.revision = revision;
}
