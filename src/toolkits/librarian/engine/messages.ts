/** The messages between the toolkit and the engine's processes. */

export type Variable = string | number | boolean | null | readonly Variable[];

export interface QueryRequest {
  readonly query: string;
  /** The paths of the documents that it may see, in order. */
  readonly paths: readonly string[];
  readonly variables: Readonly<Record<string, Variable>>;
  readonly mostItems: number;
  readonly mostChars: number;
}

export interface QueryAnswer {
  readonly results: readonly string[];
  /** Number of items that were left out. */
  readonly dropped: number;
}

export interface IndexedText {
  readonly path: string;
  readonly version: number;
  readonly content: string;
}

export interface SearchRequest {
  readonly query: string;
  /** The beginning of the path of every result. */
  readonly prefix: string | undefined;
  /** The only paths that a result may have. Absent: any. */
  readonly paths: readonly string[] | undefined;
  readonly most: number;
}

export interface SearchResult {
  readonly path: string;
  readonly score: number;
  readonly snippet: string;
}

/** A document or a collection that a query names. */
export interface NamedPlace {
  readonly kind: 'doc' | 'collection';
  readonly path: string;
}

/** The items of an answer of eXist, and how many there were. */
export interface Unwrapped {
  readonly items: readonly string[];
  readonly hits: number;
}
