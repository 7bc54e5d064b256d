/** One toolkit's tools in arrays of numbers: postings sorted by term, and of each tool the words of its name and what it does. */
import type { NameHashes } from '../names/name-table.js';
import { type PackedTexts, textAt } from './packed-texts.js';
import type { PackedPostings } from './posting-list.js';

export interface Shard {
  readonly toolkit: string;
  readonly title: string;
  /** How many tools it has. */
  readonly size: number;
  postings(): PackedPostings;
  names(): NameHashes;
  facts(): ToolFacts;
  /** All of these, as a snapshot keeps them. */
  readonly bytes: Uint8Array;
}

/** What is known of each tool beside its postings. */
export interface ToolFacts {
  /** Its id and its name. */
  readonly texts: PackedTexts;
  /** The words of each name that say something, doubled, plus one for those before a qualifier, at `nameStarts[tool]` up to `nameStarts[tool + 1]`. */
  readonly nameTerms: Uint32Array;
  readonly nameStarts: Uint32Array;
  /** What each tool does, as verb classes. */
  readonly actions: Uint32Array;
  /** 1 where a tool has a description; 1 where it is about several things (`list_issues`). */
  readonly described: Uint8Array;
  readonly plural: Uint8Array;
  /** The words of the toolkit's display name. */
  readonly titleTerms: Uint32Array;
  /** What each tool's name and description say, as `semantic/text-vectors.ts` has it; empty without word vectors. */
  readonly vectors: Int8Array;
  /** Two numbers for each tool that tell whether it still says the same. */
  readonly fingerprints: Uint32Array;
}

export const idIn = (shard: Shard, tool: number) => textAt(shard.facts().texts, 2 * tool);
export const nameIn = (shard: Shard, tool: number) => textAt(shard.facts().texts, 2 * tool + 1);

/** Where a term stands among those of a shard; -1 if none of its tools has it. */
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
