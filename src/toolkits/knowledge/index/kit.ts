/** What the functions of this folder reach through `kit` in the process that holds a workspace's index. */
import type { Element, ElementType, SourceHead } from '../elements.js';
import type { SandboxKit } from '../sandbox.js';

export interface IndexedSource {
  readonly path: string;
  readonly hash: string;
  readonly updatedAt: string;
  readonly content: string;
}

export interface KeptSource {
  readonly head: SourceHead;
  readonly hash: string;
  readonly updatedAt: string;
  readonly ids: readonly number[];
}

export interface KeptElement {
  readonly path: string;
  readonly element: Element;
  /** Each number a byte; the length does not matter to an angle. */
  readonly vector: Int8Array | undefined;
  readonly model: string | undefined;
}

export interface Found {
  readonly id: number;
  readonly score: number;
  /** Words of the element that were met. */
  readonly terms: readonly string[];
}

export interface Hit {
  readonly path: string;
  readonly element: Element;
  readonly snippet: string;
  /** Line or row of the best match, where it is known. */
  readonly line?: number;
  readonly score: number;
}

export interface WordIndex {
  add(document: object): void;
  discard(id: number): void;
  search(query: string, options: object): { id: number; score: number; terms: string[]; queryTerms: string[] }[];
}

export interface IndexState {
  readonly sources: Map<string, KeptSource>;
  readonly elements: Map<number, KeptElement>;
  words: WordIndex | undefined;
  formulas: WordIndex | undefined;
  nextId: number;
}

/** What a search may see. */
export interface Scope {
  readonly types?: readonly ElementType[];
  readonly prefix?: string;
  readonly allowed?: readonly string[];
  readonly language?: string;
}

export interface Kit extends SandboxKit<'minisearch'> {
  readonly state: IndexState;
  wordsOf(text: string): string[];
  queryWords(query: string): string[];
  fold(text: string): string;
  mathTokens(formula: string): string[];
  mathGrams(formula: string): string[];
  isAllowed(allowed: readonly string[] | undefined, path: string): boolean;
  inScope(scope: Scope): (id: number) => boolean;
  findWords(query: string, scope: Scope, most: number): Found[];
  findFormulas(query: string, scope: Scope, most: number): Found[];
  findSymbols(query: string, scope: Scope, most: number): Found[];
  findNear(vector: readonly number[], model: string, scope: Scope, most: number): { found: Found[]; without: number };
  toHit(query: string, found: Found): Hit;
}
