/** What the functions of this folder work on. */
import type { Element, ElementType, SourceHead } from '../elements.js';

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

/** What a search may see. */
export interface Scope {
  readonly types?: readonly ElementType[];
  readonly prefix?: string;
  readonly allowed?: readonly string[];
  readonly language?: string;
}
