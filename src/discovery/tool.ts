/** The input and output of discovery. */

/** A tool to be found. */
export interface DiscoveredTool {
  /** The id returned in hits; unique in the index. */
  readonly id: string;
  /** The slug of its toolkit. */
  readonly toolkit: string;
  /** The toolkit's display name. */
  readonly toolkitName?: string | undefined;
  /**
   * Its name in the toolkit (`create_issue`); a name that repeats the toolkit (`GITHUB_CREATE_ISSUE`) is recognised.
   */
  readonly name: string;
  readonly description?: string | undefined;
  /** Further words that people ask for it with; read like the description. */
  readonly searchWords?: string | undefined;
  /** The JSON Schema of its input, or a plain map from parameter to schema. */
  readonly parameters?: Readonly<Record<string, unknown>> | undefined;
}

/** Further knowledge about the caller; it ranks tools higher and never hides any. Toolkit slugs or tool ids. */
export interface SearchContext {
  readonly granted?: Iterable<string> | undefined;
  readonly connected?: Iterable<string> | undefined;
  readonly recent?: Iterable<string> | undefined;
}

/** How near tools are to a text by embeddings from elsewhere. */
export interface Likeness {
  /** What to add to the ranker's score of a tool; 0 if nothing is known of it. */
  bonus(id: string): number;
  /** The nearest of the caller's tools. */
  readonly nearest: readonly { readonly id: string; readonly toolkit: string }[];
}

export interface SearchOptions {
  /** Maximum number of hits; 10 by default. */
  readonly limit?: number | undefined;
  /** Only tools of these toolkits. An empty list finds nothing. */
  readonly toolkits?: Iterable<string> | undefined;
  readonly context?: SearchContext | undefined;
  /**
   * Toolkits that the caller may know of, by default all of the index. If the request names one of them, and none that
   * `toolkits` allows, nothing is offered in its place.
   */
  readonly known?: Iterable<string> | undefined;
  /** For each of the texts that `ToolIndex.textsOf` names: what embeddings say, undefined if nothing is known. */
  readonly likeness?: ((text: string) => Likeness | undefined) | undefined;
}

export interface Hit {
  readonly id: string;
  /** Comparable within one answer only. */
  readonly score: number;
  /** Which of the acts of `SearchResult.acts` it serves, from 1; undefined if the request has only one. */
  readonly act?: number;
  /** Reasons in words: `exact name`, `name but for one letter`, `app github`, `same action`, `act by wording`, `another act`. */
  readonly why?: readonly string[];
}

/**
 * How the result was found; an earlier tier ends the search. `exact`: only tools named in the request; `semantic`: by
 * meaning; `fallback`: nothing matched, so available tools in their usual order, at most 30.
 */
export type SearchTier = 'exact' | 'semantic' | 'fallback';

/**
 * `these`: the hits do what is requested; `perhaps`: they may, see `unmatched` for what was not understood; `nothing`:
 * none does.
 */
export type Answer = 'these' | 'perhaps' | 'nothing';

/** A part of a request that has several acts, and the answer to it alone. */
export interface SearchedAct {
  readonly text: string;
  readonly answer: Answer;
}

export interface SearchResult {
  readonly tier: SearchTier;
  readonly hits: readonly Hit[];
  readonly answer: Answer;
  /** True if the answer is `nothing`; `hits` are then empty or the nearest matches, and not to be trusted. */
  readonly abstained: boolean;
  /** Words of the request that no available tool has, as written. */
  readonly unmatched: readonly string[];
  /** The acts of a request, at least two; empty if it has one. The best hit of each comes first. */
  readonly acts: readonly SearchedAct[];
  /** Toolkits that the request names but may not use, if it names no other: then there are no hits. */
  readonly missing: readonly string[];
  /** Words that were read as others: `calender` as `calendar`. The hits may be wrong if that was not meant. */
  readonly readAs: readonly { readonly written: string; readonly read: string }[];
}
