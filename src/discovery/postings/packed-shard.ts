/**
 * A toolkit as one piece of memory, as in a snapshot. Its arrays are views that are created on request: thousands of
 * toolkits with twenty arrays each would burden the garbage collector.
 */
import { createReader, getArrays, type Kinds, type Reader, readArrays, writeBlocks } from '../blocks.js';
import type { NameHashes } from '../names/name-table.js';
import type { PackedPostings } from './posting-list.js';
import type { Shard, ToolFacts } from './shard.js';

/** The arrays of a toolkit. To add one, add a line here. */
const postingArrays = {
  terms: Uint32Array,
  starts: Uint32Array,
  tools: Uint16Array,
  weights: Uint8Array,
} as const;
const nameArrays = { hashes: Uint32Array, owners: Uint16Array } as const;
const factArrays = {
  nameTerms: Uint32Array,
  nameStarts: Uint32Array,
  actions: Uint32Array,
  described: Uint8Array,
  plural: Uint8Array,
  titleTerms: Uint32Array,
  vectors: Int8Array,
  fingerprints: Uint32Array,
  letters: Uint8Array,
  ends: Uint32Array,
} as const;

export interface ShardParts {
  readonly postings: PackedPostings;
  readonly names: NameHashes;
  readonly facts: ToolFacts;
}

type Title = Pick<Shard, 'toolkit' | 'title' | 'size'>;

export function* packShard(title: Title, { postings, names, facts }: ShardParts): Generator<undefined, Shard> {
  const { texts, ...others } = facts;
  const bytes = yield* writeBlocks([
    ...getArrays(postings, postingArrays),
    ...getArrays(names, nameArrays),
    ...getArrays({ ...others, ...texts }, factArrays),
  ]);
  return new PackedShard(title, bytes, { isSettled: true });
}

/**
 * Whether all arrays are present and consistent with a vocabulary of `words` words. Returns the number of tools, or
 * undefined.
 */
export function countPacked(bytes: Uint8Array, dimensions: number, words: number): number | undefined {
  const reader = createReader(bytes);
  const { terms, starts, tools, weights } = readArrays(reader, postingArrays);
  const { hashes, owners } = readArrays(reader, nameArrays);
  const facts = readArrays(reader, factArrays);
  const size = facts.actions.length;
  const fits =
    starts.length === terms.length + 1 &&
    starts.at(-1) === tools.length &&
    tools.length === weights.length &&
    areBelow(terms, words) &&
    hashes.length === owners.length &&
    areBelow(owners, size) &&
    facts.nameStarts.length === size + 1 &&
    facts.vectors.length === size * dimensions &&
    facts.fingerprints.length === 2 * size &&
    facts.ends.length === 2 * size &&
    (facts.ends.at(-1) ?? 1) === facts.letters.length;
  return fits ? size : undefined;
}

function areBelow(numbers: Uint32Array | Uint16Array, limit: number): boolean {
  for (let at = 0; at < numbers.length; at++) if ((numbers[at] ?? 0) >= limit) return false;
  return true;
}

const nothing: Partial<ShardParts> = {};

export class PackedShard implements Shard {
  readonly toolkit: string;
  readonly title: string;
  readonly size: number;
  readonly #buffer: ArrayBufferLike;
  readonly #from: number;
  readonly #length: number;
  readonly #progress: { readonly isSettled: boolean };
  #kept = nothing;

  /** No view is cached until it is settled: filling an index reads nearly all of them, once. */
  constructor({ toolkit, title, size }: Title, bytes: Uint8Array, progress: { readonly isSettled: boolean }) {
    this.toolkit = toolkit;
    this.title = title;
    this.size = size;
    this.#buffer = bytes.buffer;
    this.#from = bytes.byteOffset;
    this.#length = bytes.byteLength;
    this.#progress = progress;
  }

  get bytes(): Uint8Array {
    return new Uint8Array(this.#buffer, this.#from, this.#length);
  }

  postings(): PackedPostings {
    return this.#kept.postings ?? this.#keep('postings', readArrays(this.#after(), postingArrays));
  }

  names(): NameHashes {
    return this.#kept.names ?? this.#keep('names', readArrays(this.#after(postingArrays), nameArrays));
  }

  facts(): ToolFacts {
    if (this.#kept.facts !== undefined) return this.#kept.facts;
    const { letters, ends, ...facts } = readArrays(this.#after(postingArrays, nameArrays), factArrays);
    return this.#keep('facts', { texts: { letters, ends }, ...facts });
  }

  #keep<Name extends keyof ShardParts>(name: Name, part: ShardParts[Name]): ShardParts[Name] {
    if (this.#progress.isSettled) this.#kept = { ...this.#kept, [name]: part };
    return part;
  }

  #after(...passed: readonly Kinds[]): Reader {
    const reader = createReader(this.bytes);
    for (const table of passed) for (const _ in table) reader.skip();
    return reader;
  }
}
