/**
 * A document as the catalogue lists it, read by the code that also makes its tools, so that the counts are right.
 * Imported by the processes that index the directory, because reading blocks the event loop.
 */
import type { CatalogueApp } from '../../domain/catalogue.js';
import type { AuthScheme } from '../../domain/connection.js';
import { type ErrorBody, HelveError } from '../../domain/errors.js';
import { objectOrEmpty } from '../../util/canonical.js';
import { defined } from '../../util/defined.js';
import { parseUrl } from '../../util/parse-url.js';
import { atOnce } from '../../util/slices.js';
import {
  cleanText,
  convertHere,
  type DocumentView,
  getInfo,
  loadDocument,
  type OpenApiToolkit,
  readSliced,
} from '../openapi/index.js';
import { readDocumentFile } from './document-file.js';
import { documentOrigin } from './document-origin.js';
import type { DirectoryDocument } from './list-documents.js';

type DocumentSummary = Omit<CatalogueApp, 'slug' | 'hash'>;

/** A refusal is the document's own fault. */
export type SummaryAnswer =
  | { readonly value: DocumentSummary }
  | { readonly refusal: Pick<ErrorBody, 'code' | 'message'> & { readonly hint?: string | undefined } };

export interface SummaryRequest {
  readonly folder: string;
  readonly document: DirectoryDocument;
}

/** A refusal means that the document itself is at fault. */
export async function summariseDocument({ folder, document }: SummaryRequest): Promise<SummaryAnswer> {
  try {
    const { id, path, slug } = document;
    const view = await loadDocument(await readDocumentFile(folder, path), convertHere);
    const info = getInfo(view);
    if (info['x-preferred'] === false) throw new HelveError('invalid_config', 'the directory prefers another version');
    const toolkit = atOnce(readSliced(view, { slug, documentUrl: documentOrigin(id, info) }));
    if (!toolkit.needsConnection) checkAddress(toolkit);
    return { value: describeSummary(id, view, toolkit) };
  } catch (thrown) {
    // An invalid document violates assumptions that no list of checks can foresee.
    if (!(thrown instanceof HelveError))
      return { refusal: { code: 'invalid_config', message: `it is malformed (${(thrown as Error).message})` } };
    const { code, message, hint } = thrown;
    return { refusal: { code, message, hint } };
  }
}

/** Without an account nobody can enter an address: throws `invalid_config` if no operation has one. */
function checkAddress({ operations, checkServer }: OpenApiToolkit): void {
  let reason: unknown;
  for (const operation of operations) {
    try {
      checkServer(operation, {}, {});
      return;
    } catch (error) {
      reason ??= error;
    }
  }
  if (reason !== undefined) throw reason;
}

function describeSummary(id: string, view: DocumentView, toolkit: OpenApiToolkit): DocumentSummary {
  const info = getInfo(view);
  const logo = firstUrl([objectOrEmpty(info['x-logo']).url]);
  const url = firstUrl([objectOrEmpty(view.get(['externalDocs'])).url, objectOrEmpty(info.contact).url]);
  const version = cleanText(info.version, 60);
  const updatedAt = readTime(info['x-timestamp']);
  return {
    name: cleanText(info.title, 80) ?? id,
    description: toolkit.description,
    categories: listCategories(info['x-apisguru-categories']),
    authSchemes: [...new Set((toolkit.auth?.schemes ?? []).map(schemeWord))],
    managedAuthSchemes: [],
    noAuth: !toolkit.needsConnection,
    deprecated: toolkit.operations.every(({ deprecated }) => deprecated),
    ...defined({ logo, url, version, updatedAt }),
    actionCount: toolkit.operations.length,
    triggerCount: 0,
  };
}

/** The same form as the catalogue's other source uses. */
function schemeWord({ kind, placement = [] }: AuthScheme): string {
  if (kind === 'service_account') return 'S2S_OAUTH2';
  const isBearer = placement.some((each) => each.in === 'header' && /^Bearer \{/.test(each.value));
  return kind === 'api_key' && isBearer ? 'BEARER_TOKEN' : kind.toUpperCase();
}

/** Addresses that a browser may open or display. */
function firstUrl(candidates: readonly unknown[]): string | undefined {
  for (const text of candidates) {
    if (typeof text !== 'string' || text.length > 2_000) continue;
    const url = parseUrl(text);
    if (url && /^https?:$/.test(url.protocol) && url.username === '') return url.href;
  }
  return undefined;
}

/** The directory writes `customer_relation`, sometimes a string instead of a list, and once a list of its letters. */
function listCategories(given: unknown): string[] {
  const list = Array.isArray(given) ? given : [given];
  const names = list.slice(0, 10).map((each) => cleanText(each, 40)?.replaceAll('_', ' ').trim().toLowerCase());
  return [...new Set(names.filter((name) => name !== undefined && name.length > 1))] as string[];
}

function readTime(given: unknown): string | undefined {
  const time = typeof given === 'string' ? Date.parse(given) : Number.NaN;
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
