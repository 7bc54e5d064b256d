/** One shape for both places where documents can live, so that the tools need not know which it is. */
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

/** Paths are normal and were held against the limits; what many documents give is held to them inside. */
export interface Library {
  store(path: string, content: string): Promise<void>;
  get(path: string): Promise<string | undefined>;
  delete(path: string): Promise<boolean>;
  list(collection: string | undefined, limit: number): Promise<Listing>;
  query(query: string, collection: string | undefined, variables: Readonly<Record<string, Variable>>): Promise<Queried>;
  search(query: string, collection: string | undefined, most: number): Promise<readonly SearchResult[]>;
}

export type LibrarianContext = ToolContext<LibrarianConfig, LibrarianSettings>;
