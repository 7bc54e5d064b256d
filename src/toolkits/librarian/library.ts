/** One interface for both places where documents can be stored, so that the tools need not know which one is used. */
import type { ToolContext } from '../../domain/context.js';
import type { SearchResult, Variable } from './engine/index.js';
import type { LibrarianConfig, LibrarianSettings } from './shapes.js';

export interface Listing {
  readonly documents: readonly { readonly path: string; readonly updated_at?: string }[];
  readonly truncated: boolean;
}

export interface Queried {
  readonly results: readonly string[];
  /** Items that were left out. */
  readonly dropped: number;
}

/**
 * Paths are normalised and checked against the limits by the caller; results from many documents are filtered inside.
 */
export interface Library {
  store(path: string, content: string): Promise<void>;
  get(path: string): Promise<string | undefined>;
  delete(path: string): Promise<boolean>;
  list(collection: string | undefined, limit: number): Promise<Listing>;
  query(query: string, collection: string | undefined, variables: Readonly<Record<string, Variable>>): Promise<Queried>;
  search(query: string, collection: string | undefined, most: number): Promise<readonly SearchResult[]>;
}

export type LibrarianContext = ToolContext<LibrarianConfig, LibrarianSettings>;
