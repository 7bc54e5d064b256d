/**
 * One toolkit's tools in arrays of numbers: postings sorted by term, and for each tool the words of its name and what
 * it does.
 */
import type { NameHashes } from '../names/name-table.js';
import { type PackedTexts, textAt } from './packed-texts.js';
import type { PackedPostings } from './posting-list.js';

export interface Shard {
  readonly toolkit: string;
  readonly title: string;
  /** Number of tools. */
  readonly size: number;
  postings(): PackedPostings;
  names(): NameHashes;
  facts(): ToolFacts;
  /** All of these, in the form of a snapshot. */
  readonly bytes: Uint8Array;
}

/** What is known about each tool besides its postings. */
export interface ToolFacts {
  /** Its id and its name. */
  readonly texts: PackedTexts;
  /**
   * The meaningful words of each name, doubled, plus one for those before a qualifier, at `nameStarts[tool]` up to
   * `nameStarts[tool + 1]`.
   */
  readonly nameTerms: Uint32Array;
  readonly nameStarts: Uint32Array;
  /** What each tool does, as verb classes. */
  readonly actions: Uint32Array;
  /** 1 if a tool has a description; 1 if it concerns several items (`list_issues`). */
  readonly described: Uint8Array;
  readonly plural: Uint8Array;
  /** The words of the toolkit's display name. */
  readonly titleTerms: Uint32Array;
  /** The vector of each tool's name and description (`semantic/text-vectors.ts`); empty without word vectors. */
  readonly vectors: Int8Array;
  /** Two numbers per tool that show whether its text is unchanged. */
  readonly fingerprints: Uint32Array;
}

export const idIn = (shard: Shard, tool: number) => textAt(shard.facts().texts, 2 * tool);
export const nameIn = (shard: Shard, tool: number) => textAt(shard.facts().texts, 2 * tool + 1);

/** The position of a term among those of a shard; -1 if none of its tools has it. */
export function findSlot({ terms }: PackedPostings, term: number): number {
  let low = 0;
  let high = terms.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = terms[middle] ?? 0;
    if (found === term) return middle;
    if (found < term) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/** How many tools of a shard have the term. */
export function countIn(shard: Shard, term: number): number {
  const postings = shard.postings();
  const slot = findSlot(postings, term);
  return slot < 0 ? 0 : (postings.starts[slot + 1] ?? 0) - (postings.starts[slot] ?? 0);
}
