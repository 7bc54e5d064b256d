/** The data that the functions of this folder work on. */
import type { Element, ElementType, SourceHead } from '../../../util/extract/elements.js';

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
  /** One byte per number; the length does not matter, because only angles are compared. */
  readonly vector: Int8Array | undefined;
  readonly model: string | undefined;
}

export interface Found {
  readonly id: number;
  readonly score: number;
  /** Words of the element that matched. */
  readonly terms: readonly string[];
}

export interface Hit {
  readonly path: string;
  readonly element: Element;
  readonly snippet: string;
  /** Line or row of the best match, if known. */
  readonly line?: number;
  readonly score: number;
}

export interface WordIndex {
  add(document: object): void;
  discard(id: number): void;
  search(query: string, options: object): { id: number; score: number; terms: string[]; queryTerms: string[] }[];
}

/** The part of the index that a search may see. */
export interface Scope {
  readonly types?: readonly ElementType[];
  readonly prefix?: string;
  readonly allowed?: readonly string[];
  readonly language?: string;
}
