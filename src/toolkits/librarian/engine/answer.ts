/** The functions of a worker of the engine. Imported by the worker; see `launch.ts`. */
import { addDeclarations } from './declarations.js';
import { runQuery } from './evaluate.js';
import type {
  IndexedText,
  NamedPlace,
  QueryAnswer,
  QueryRequest,
  SearchRequest,
  SearchResult,
  Unwrapped,
} from './messages.js';
import { parseDocument } from './parse-xml.js';
import { reviewQuery, unwrapAnswer } from './review.js';
import { addToIndex, searchIndex } from './search-index.js';
import { state } from './state.js';

// Once in the life of the process, before the first query.
addDeclarations();

/** Throws `invalid_input` or `too_large` for content that is not a valid document. */
export function check({ content, maxDepth }: { readonly content: string; readonly maxDepth: number }): void {
  parseDocument(content, maxDepth);
}

export interface LoadMessage {
  readonly documents: readonly IndexedText[];
  readonly forgotten: readonly string[];
}

export function load({ documents, forgotten }: LoadMessage): void {
  for (const path of forgotten) state.documents.delete(path);
  for (const { path, version, content } of documents) {
    // Stored documents were checked against the depth limit when they were stored.
    const document = parseDocument(content, 10_000);
    state.paths.set(document, path);
    state.documents.set(path, { version, document });
  }
}

export function query(request: QueryRequest): QueryAnswer {
  return runQuery(request);
}

export function index({
  added,
  removed,
}: {
  readonly added: readonly IndexedText[];
  readonly removed: readonly string[];
}): void {
  addToIndex(added, removed);
}

export function search(request: SearchRequest): readonly SearchResult[] {
  return searchIndex(request);
}

export function review(text: string): readonly NamedPlace[] {
  return reviewQuery(text);
}

export function unwrap(answer: string): Unwrapped {
  return unwrapAnswer(answer);
}
