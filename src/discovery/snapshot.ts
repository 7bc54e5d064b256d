/**
 * An index as bytes and back: what is dear to compute (postings, words of names) is kept, what is cheap (hashes of names,
 * aliases of apps) is made again.
 *
 * The layout is a length-prefixed run of blocks: a header, the words, then for each toolkit its texts as JSON and its
 * arrays. Snapshots are a cache of this machine's: another layout or byte order is refused, and the index built anew.
 */
import { HelveError } from '../spec/errors.js';
import { type CatalogueState, createCatalogueState } from './catalogue-state.js';
import type { Shard } from './postings/shard.js';
import { createVocabulary } from './postings/vocabulary.js';
import type { Slices } from './slices.js';

const magic = 'helve-discovery-1';
const wordsABlock = 4_000;
const arrays = {
  terms: Uint32Array,
  starts: Uint32Array,
  tools: Uint16Array,
  weights: Uint8Array,
  nameTerms: Uint32Array,
  nameStarts: Uint32Array,
  actions: Uint32Array,
} as const;
const arrayNames = Object.keys(arrays) as (keyof typeof arrays)[];

interface Header {
  readonly magic: string;
  readonly words: number;
  readonly toolkits: number;
}

export async function saveState(state: CatalogueState, slices: Slices): Promise<Uint8Array> {
  const blocks: Uint8Array[] = [];
  const text = (value: unknown) => blocks.push(new TextEncoder().encode(JSON.stringify(value)));
  const shards = state.shards.filter((shard) => shard !== undefined);
  const size = state.vocabulary.size;
  text({ magic, words: size, toolkits: shards.length } satisfies Header);
  for (let from = 0; from < size; from += wordsABlock) {
    const count = Math.min(wordsABlock, size - from);
    text(Array.from({ length: count }, (_, at) => state.vocabulary.word(from + at)));
    await slices.rest();
  }
  for (const shard of shards) {
    text({ toolkit: shard.toolkit, title: shard.title, ids: shard.ids, names: shard.names });
    for (const name of arrayNames) {
      const { buffer, byteOffset, byteLength } = shard[name];
      blocks.push(new Uint8Array(buffer, byteOffset, byteLength));
    }
    await slices.rest();
  }
  return join(blocks);
}

function join(blocks: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(blocks.reduce((sum, block) => sum + 4 + block.length, 0));
  const view = new DataView(whole.buffer);
  let at = 0;
  for (const block of blocks) {
    view.setUint32(at, block.length, true);
    whole.set(block, at + 4);
    at += 4 + block.length;
  }
  return whole;
}

/** Reads a snapshot into a new state. Throws `invalid_input` if it is cut, altered in its layout or of another version. */
export async function loadState(snapshot: Uint8Array, slices: Slices): Promise<CatalogueState> {
  const next = reader(snapshot);
  const header = readJson<Header>(next());
  if (header.magic !== magic) throw refused('it is no snapshot of this version');
  const vocabulary = createVocabulary();
  while (vocabulary.size < header.words) {
    const before = vocabulary.size;
    for (const word of readJson<string[]>(next())) vocabulary.enter(word);
    if (vocabulary.size === before) throw refused('its words are incomplete');
    await slices.rest();
  }
  const state = createCatalogueState(vocabulary);
  for (let at = 0; at < header.toolkits; at++) {
    state.enter(readShard(next, header.words));
    await slices.rest();
  }
  return state;
}

function readShard(next: () => Uint8Array, words: number): Shard {
  const texts = readJson<Pick<Shard, 'toolkit' | 'title' | 'ids' | 'names'>>(next());
  const shard: Shard = {
    ...texts,
    terms: read(next(), Uint32Array),
    starts: read(next(), Uint32Array),
    tools: read(next(), Uint16Array),
    weights: read(next(), Uint8Array),
    nameTerms: read(next(), Uint32Array),
    nameStarts: read(next(), Uint32Array),
    actions: read(next(), Uint32Array),
  };
  const { length } = shard.ids;
  const fits =
    shard.names.length === length &&
    shard.actions.length === length &&
    shard.nameStarts.length === length + 1 &&
    shard.starts.length === shard.terms.length + 1 &&
    shard.starts.at(-1) === shard.tools.length &&
    shard.tools.length === shard.weights.length &&
    shard.terms.every((term) => term < words) &&
    shard.tools.every((tool) => tool < length);
  if (!fits) throw refused(`the arrays of toolkit ${texts.toolkit} do not fit together`);
  return shard;
}

function read<Kind extends Uint32Array | Uint16Array | Uint8Array>(
  block: Uint8Array,
  Kind: { new (buffer: ArrayBuffer): Kind; readonly BYTES_PER_ELEMENT: number },
): Kind {
  if (block.length % Kind.BYTES_PER_ELEMENT !== 0) throw refused('an array is cut');
  return new Kind(block.slice().buffer);
}

function reader(snapshot: Uint8Array): () => Uint8Array {
  const view = new DataView(snapshot.buffer, snapshot.byteOffset, snapshot.byteLength);
  let at = 0;
  return () => {
    const length = at + 4 <= snapshot.length ? view.getUint32(at, true) : Number.POSITIVE_INFINITY;
    if (at + 4 + length > snapshot.length) throw refused('it ends too early');
    at += 4 + length;
    return snapshot.subarray(at - length, at);
  };
}

function readJson<Value>(block: Uint8Array): Value {
  try {
    return JSON.parse(new TextDecoder().decode(block)) as Value;
  } catch (cause) {
    throw refused('a block is not JSON', cause);
  }
}

function refused(why: string, cause?: unknown): HelveError {
  return new HelveError('invalid_input', `The snapshot of the tool index cannot be read: ${why}`, {
    hint: 'Build the index from the tools again.',
    ...(cause !== undefined && { cause }),
  });
}
