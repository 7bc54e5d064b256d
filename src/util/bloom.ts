/**
 * Bloom filters: a set of hashes in a few bits each. A filter may report a hash that was never added, but never misses
 * one that was. It is filled at full size and then folded to the size that its contents need, so that the number of
 * different hashes need not be known in advance. `test` and `add` address bits by the low end of the hash, which is why
 * folding keeps every answer.
 */

const fullBits = 1 << 20;
const minWords = 16;

export interface BloomOptions {
  /** Bits set per hash. */
  readonly bitsPerHash: 1 | 2;
  /**
   * A filter is folded as long as at most this share of its bits is set; afterwards at most twice that share is set.
   */
  readonly fill: number;
}

export interface BloomBuilder {
  add(hash: number): void;
  /** Returns what was added since the last `take`, as bytes for `createBloomTest`, and empties the builder. */
  take(): Uint8Array;
}

/** Creates an empty builder. */
export function createBloomBuilder({ bitsPerHash, fill }: BloomOptions): BloomBuilder {
  const words = new Uint32Array(fullBits / 32);
  const set = (bit: number): void => {
    const at = (bit & (fullBits - 1)) >>> 5;
    words[at] = (words[at] ?? 0) | (1 << (bit & 31));
  };
  return {
    add(hash) {
      set(hash);
      if (bitsPerHash === 2) set(secondBit(hash));
    },
    take() {
      let size = words.length;
      while (size > minWords && countBits(words, size) <= fill * size * 32) {
        size /= 2;
        for (let at = 0; at < size; at += 1) words[at] = (words[at] ?? 0) | (words[at + size] ?? 0);
      }
      const taken = new Uint8Array(words.slice(0, size).buffer);
      words.fill(0);
      return taken;
    },
  };
}

/** Creates a test for a filter that `take` made with the same number of bits per hash: may `hash` have been added? */
export function createBloomTest(filter: Uint8Array, bitsPerHash: 1 | 2): (hash: number) => boolean {
  const mask = filter.length * 8 - 1;
  const isSet = (bit: number): boolean => (((filter[(bit & mask) >>> 3] ?? 0) >>> (bit & 7)) & 1) === 1;
  return (hash) => isSet(hash) && (bitsPerHash === 1 || isSet(secondBit(hash)));
}

/** Returns a filter that may have every hash that one of these may have; at least one is given. It is as large as the smallest of them. */
export function joinFilters(filters: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint32Array(Math.min(...filters.map(({ length }) => length)) / 4);
  const mask = joined.length - 1;
  for (const filter of filters) {
    // A copy: the bytes may lie anywhere in a larger buffer.
    const words = new Uint32Array(new Uint8Array(filter).buffer);
    for (let at = 0; at < words.length; at += 1) joined[at & mask] = (joined[at & mask] ?? 0) | (words[at] ?? 0);
  }
  return new Uint8Array(joined.buffer);
}

/** Returns a well-mixed 32-bit hash of a text. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return mix(hash);
}

/** Calls `visit` with the hash of every four consecutive characters; never for a shorter text. */
export function forEachGram(text: string, visit: (hash: number) => void): void {
  let four = 0;
  for (let at = 0; at < text.length; at += 1) {
    // The low bytes of the last four characters: each new one pushes the oldest out.
    four = (four >>> 8) | (text.charCodeAt(at) << 24);
    if (at >= 3) visit(mix(four));
  }
}

const secondBit = (hash: number): number => (hash >>> 12) | (hash << 20);

/** The finalizer of MurmurHash3: every bit of the input moves half of the output. */
function mix(value: number): number {
  let hash = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

function countBits(words: Uint32Array, size: number): number {
  let count = 0;
  for (let at = 0; at < size; at += 1) {
    let word = words[at] ?? 0;
    word -= (word >>> 1) & 0x55555555;
    word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
    count += Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return count;
}
