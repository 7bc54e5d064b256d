/** What discovery is told of a tool and what it answers. */

/** A tool to be found. */
export interface DiscoveredTool {
  /** What a hit answers; unique in the index. */
  readonly id: string;
  /** The slug of its toolkit. */
  readonly toolkit: string;
  /** The toolkit's display name. */
  readonly toolkitName?: string | undefined;
  /** Its name in the toolkit (`create_issue`); one that repeats the toolkit (`GITHUB_CREATE_ISSUE`) is understood. */
  readonly name: string;
  readonly description?: string | undefined;
  /** The JSON Schema of its input, or a plain map from parameter to schema. */
  readonly parameters?: Readonly<Record<string, unknown>> | undefined;
}

/** What the caller knows beside the text; it ranks higher, it never hides. Toolkit slugs or tool ids. */
export interface SearchContext {
  readonly granted?: Iterable<string> | undefined;
  readonly connected?: Iterable<string> | undefined;
  readonly recent?: Iterable<string> | undefined;
}

export interface SearchOptions {
  /** Most hits to answer; 10 by default. */
  readonly limit?: number | undefined;
  /** Only tools of these toolkits. An empty list finds nothing. */
  readonly toolkits?: Iterable<string> | undefined;
  readonly context?: SearchContext | undefined;
}

export interface Hit {
  readonly id: string;
  /** Comparable within one answer only. */
  readonly score: number;
  /** Reasons in words: `exact name`, `name but for one letter`, `app github`, `same action`, `another act`. */
  readonly why?: readonly string[];
}

/**
 * How an answer was found; an earlier one ends the search. `exact`: tools named in the request, and only they; `semantic`: by
 * what is asked; `fallback`: nothing matched, so tools in reach in their usual order, at most 30.
 */
export type SearchTier = 'exact' | 'semantic' | 'fallback';

export interface SearchResult {
  readonly tier: SearchTier;
  readonly hits: readonly Hit[];
  /** True when nothing fits; `hits` are then empty or the nearest, and not to be trusted. */
  readonly abstained: boolean;
  /** Words of the request that no tool in reach has, as they were written. */
  readonly unmatched: readonly string[];
}
