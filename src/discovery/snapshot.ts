/**
 * Converts an index to bytes and back: what is expensive to compute (postings, hashes of names) is stored, what is
 * cheap (aliases of apps, the merged postings) is recomputed.
 *
 * A header of sixteen bytes (the version, and a checksum of the rest) is followed by blocks, each preceded by its
 * length and starting at a multiple of four. The first block lists the toolkits; then come the words; then each
 * toolkit. A loaded index reads its arrays in place, in the given snapshot. Snapshots are a cache of this machine:
 * another layout or byte order is refused, and the index is rebuilt.
 */
import { crc32 } from 'node:zlib';
import type { Slices } from '../util/slices.js';
import { createReader, getBytes, refused, writeBlocks } from './blocks.js';
import { type CatalogueState, createCatalogueState } from './catalogue-state.js';
import { countPacked, PackedShard } from './postings/packed-shard.js';

const magic = 'helve-index5';
const headBytes = 16;
/** Bytes added to the checksum in one step. */
const bytesAStep = 512 * 1_024;

interface Header {
  /** Slug and display name of each. */
  readonly toolkits: readonly (readonly [string, string])[];
  readonly words: number;
}

export async function saveState(state: CatalogueState, slices: Slices): Promise<Uint8Array> {
  const blocks: Uint8Array[] = [];
  const shards = state.toolkits();
  const words = state.vocabulary.size;
  const toolkits = shards.map(({ toolkit, title }) => [toolkit, title] as const);
  blocks.push(new TextEncoder().encode(JSON.stringify({ toolkits, words } satisfies Header)));
  const { letters, ends } = state.vocabulary.letters(words);
  blocks.push(getBytes(letters), getBytes(ends));
  for (const { bytes } of shards) blocks.push(bytes);
  const snapshot = await slices.run(writeBlocks(blocks, headBytes));
  new TextEncoder().encodeInto(magic, snapshot);
  new DataView(snapshot.buffer).setUint32(magic.length, await slices.run(sumUp(snapshot)), true);
  return snapshot;
}

function* sumUp(snapshot: Uint8Array): Generator<undefined, number> {
  let sum = 0;
  for (let at = headBytes; at < snapshot.length; at += bytesAStep) {
    sum = crc32(snapshot.subarray(at, at + bytesAStep), sum);
    yield undefined;
  }
  return sum;
}

/**
 * Reads a snapshot into a new state. `dimensions` are those of a tool's vector. Throws `invalid_input` if it is
 * truncated, altered, of another version or made with other vectors.
 */
export async function loadState(given: Uint8Array, dimensions: number, slices: Slices): Promise<CatalogueState> {
  const isOurs = given.length > headBytes && new TextDecoder().decode(given.subarray(0, magic.length)) === magic;
  if (!isOurs) throw refused('it is not a snapshot of this version');
  // Four-byte numbers must be at multiples of four to be read in place.
  const snapshot = given.byteOffset % 4 === 0 ? given : new Uint8Array(given);
  const sum = new DataView(snapshot.buffer, snapshot.byteOffset).getUint32(magic.length, true);
  if (sum !== (await slices.run(sumUp(snapshot)))) throw refused('it was altered or truncated');
  const reader = createReader(snapshot, headBytes);
  const header = readHeader(reader.next(Uint8Array));
  const state = createCatalogueState();
  const letters = reader.next(Uint16Array);
  const ends = reader.next(Uint32Array);
  if (ends.length !== header.words || (ends.at(-1) ?? 0) !== letters.length) throw refused('its words are incomplete');
  await slices.run(state.vocabulary.fill({ letters, ends }));
  const progress = { isSettled: false };
  const shards: PackedShard[] = [];
  for (const [toolkit, title] of header.toolkits) {
    const bytes = reader.next(Uint8Array);
    const size = countPacked(bytes, dimensions, header.words);
    if (size === undefined) throw refused(`the arrays of toolkit ${toolkit} do not fit together`);
    shards.push(new PackedShard({ toolkit, title, size }, bytes, progress));
    await slices.rest();
  }
  await slices.run(state.fill(shards));
  progress.isSettled = true;
  return state;
}

function readHeader(block: Uint8Array): Header {
  try {
    return JSON.parse(new TextDecoder().decode(block)) as Header;
  } catch (cause) {
    throw refused('a block is not JSON', cause);
  }
}
