/** The arrays of a toolkit as they stand in a snapshot, and a toolkit that reads them there. */
import { HelveError } from '../spec/errors.js';
import type { NameHashes } from './names/name-table.js';
import type { PackedPostings } from './postings/posting-list.js';
import type { Shard, ToolFacts } from './postings/shard.js';

/** The arrays of a toolkit: a new one is one line here. Of the facts nothing is read before somebody asks. */
export const postingArrays = {
  terms: Uint32Array,
  starts: Uint32Array,
  tools: Uint16Array,
  weights: Uint8Array,
} as const;
export const nameArrays = { hashes: Uint32Array, owners: Uint16Array } as const;
export const factArrays = {
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

export type Numbers = Uint32Array | Uint16Array | Uint8Array | Int8Array;
interface KindOf<Kind> {
  new (buffer: ArrayBufferLike, from: number, length: number): Kind;
  readonly BYTES_PER_ELEMENT: number;
}
export type Kinds = Readonly<Record<string, KindOf<Numbers>>>;
type ArraysOf<Table extends Kinds> = { readonly [Name in keyof Table]: InstanceType<Table[Name]> };

/** Reads blocks one after the other. */
export interface Reader {
  /** Where the next block is. */
  at(): number;
  /** The next block, as numbers of this kind. */
  next<Kind extends Numbers>(Kind: KindOf<Kind>): Kind;
  skip(): void;
}

/** Blocks begin at multiples of four. */
export const aligned = (length: number) => (length + 3) & ~3;

export function readArrays<Table extends Kinds>(reader: Reader, table: Table): ArraysOf<Table> {
  const arrays: Record<string, Numbers> = {};
  for (const name in table) arrays[name] = reader.next(table[name] as Table[typeof name]);
  return arrays as ArraysOf<Table>;
}

export function createReader(view: DataView, from: number): Reader {
  let at = from;
  const lengthAt = () => (at + 4 <= view.byteLength ? view.getUint32(at, true) : Number.POSITIVE_INFINITY);
  return {
    at: () => at,
    next(Kind) {
      const start = at + 4;
      const length = lengthAt();
      if (start + length > view.byteLength) throw refused('it ends too early');
      if (length % Kind.BYTES_PER_ELEMENT !== 0) throw refused('an array is cut');
      at = start + aligned(length);
      return new Kind(view.buffer, view.byteOffset + start, length / Kind.BYTES_PER_ELEMENT);
    },
    skip() {
      at += 4 + aligned(lengthAt());
    },
  };
}

interface Parts {
  readonly postings: PackedPostings;
  readonly names: NameHashes;
  readonly facts: ToolFacts;
}

/** Where a toolkit's arrays begin, and whether the index is filled already. */
interface StoredPlace {
  readonly view: DataView;
  readonly from: number;
  readonly progress: { readonly isFilled: boolean };
}

const nothing: Partial<Parts> = {};

/**
 * A toolkit in a snapshot; its parts are read when somebody asks for them. While the index is filled, which asks for nearly
 * all, none is kept: so many views would be long work for the garbage collector.
 */
export class StoredShard implements Shard {
  readonly toolkit: string;
  readonly title: string;
  readonly size: number;
  readonly #place: StoredPlace;
  #kept = nothing;

  constructor({ toolkit, title, size, ...place }: Pick<Shard, 'toolkit' | 'title' | 'size'> & StoredPlace) {
    this.toolkit = toolkit;
    this.title = title;
    this.size = size;
    this.#place = place;
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
    return this.#keep('facts', { ...facts, texts: { letters, ends } });
  }

  #keep<Name extends keyof Parts>(name: Name, part: Parts[Name]): Parts[Name] {
    if (this.#place.progress.isFilled) this.#kept = { ...this.#kept, [name]: part };
    return part;
  }

  #after(...passed: readonly Kinds[]): Reader {
    const reader = createReader(this.#place.view, this.#place.from);
    for (const table of passed) for (const _ in table) reader.skip();
    return reader;
  }
}

export function refused(why: string, cause?: unknown): HelveError {
  return new HelveError('invalid_input', `The snapshot of the tool index cannot be read: ${why}`, {
    hint: 'Build the index from the tools again.',
    ...(cause !== undefined && { cause }),
  });
}
