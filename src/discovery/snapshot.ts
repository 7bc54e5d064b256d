/**
 * An index as bytes and back: what is dear to compute (postings, hashes of names) is kept, what is cheap (aliases of apps,
 * the merged postings) is made again.
 *
 * After a head of sixteen bytes (the version, and a checksum of all that follows) come blocks, each with its length before
 * it and beginning at a multiple of four. The first tells which toolkits follow; then come the words; then of each toolkit
 * each of its arrays. A loaded index reads its arrays where they stand, in the snapshot that it was given.
 * Snapshots are a cache of this machine's: another layout or byte order is refused, and the index built anew.
 */
import { crc32 } from 'node:zlib';
import type { Slices } from '../util/slices.js';
import { type CatalogueState, createCatalogueState } from './catalogue-state.js';
import type { Shard } from './postings/shard.js';
import {
  aligned,
  createReader,
  factArrays,
  type Numbers,
  nameArrays,
  postingArrays,
  type Reader,
  readArrays,
  refused,
  StoredShard,
} from './snapshot-arrays.js';

const magic = 'helve-index4';
const headBytes = 16;
/** What is copied or summed at one step. */
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
  blocks.push(bytesOf(letters), bytesOf(ends));
  for (const shard of shards) {
    const { texts, ...facts } = shard.facts();
    blocks.push(...arraysOf(shard.postings(), postingArrays), ...arraysOf(shard.names(), nameArrays));
    blocks.push(...arraysOf({ ...facts, ...texts }, factArrays));
    await slices.rest();
  }
  return slices.run(join(blocks));
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Numbers) => new Uint8Array(buffer, byteOffset, byteLength);

function arraysOf<Name extends string>(
  given: Readonly<Record<NoInfer<Name>, Numbers>>,
  table: Readonly<Record<Name, unknown>>,
): Uint8Array[] {
  return Object.keys(table).map((name) => bytesOf(given[name as Name]));
}

function* join(blocks: readonly Uint8Array[]): Generator<undefined, Uint8Array> {
  const whole = new Uint8Array(blocks.reduce((sum, { length }) => sum + 4 + aligned(length), headBytes));
  const view = new DataView(whole.buffer);
  let at = headBytes;
  let copied = 0;
  for (const block of blocks) {
    view.setUint32(at, block.length, true);
    at += 4;
    for (let from = 0; from < block.length; from += bytesAStep) {
      const piece = block.subarray(from, from + bytesAStep);
      whole.set(piece, at + from);
      copied += piece.length;
      if (copied < bytesAStep) continue;
      copied = 0;
      yield undefined;
    }
    at += aligned(block.length);
  }
  new TextEncoder().encodeInto(magic, whole);
  view.setUint32(magic.length, yield* sumOf(whole), true);
  return whole;
}

function* sumOf(snapshot: Uint8Array): Generator<undefined, number> {
  let sum = 0;
  for (let at = headBytes; at < snapshot.length; at += bytesAStep) {
    sum = crc32(snapshot.subarray(at, at + bytesAStep), sum);
    yield undefined;
  }
  return sum;
}

/**
 * Reads a snapshot into a new state. `dimensions` are those of a tool's vector. Throws `invalid_input` if it is cut, altered,
 * of another version or made with other vectors.
 */
export async function loadState(given: Uint8Array, dimensions: number, slices: Slices): Promise<CatalogueState> {
  const isOurs = given.length > headBytes && new TextDecoder().decode(given.subarray(0, magic.length)) === magic;
  if (!isOurs) throw refused('it is no snapshot of this version');
  // Numbers of four bytes stand at multiples of four, or cannot be read in place.
  const snapshot = given.byteOffset % 4 === 0 ? given : new Uint8Array(given);
  const view = new DataView(snapshot.buffer, snapshot.byteOffset, snapshot.byteLength);
  if (view.getUint32(magic.length, true) !== (await slices.run(sumOf(snapshot))))
    throw refused('it was altered or cut');
  const reader = createReader(view, headBytes);
  const header = readHeader(reader.next(Uint8Array));
  const state = createCatalogueState();
  const letters = reader.next(Uint16Array);
  const ends = reader.next(Uint32Array);
  if (ends.length !== header.words || (ends.at(-1) ?? 0) !== letters.length) throw refused('its words are incomplete');
  await slices.run(state.vocabulary.fill({ letters, ends }));
  const progress = { isFilled: false };
  const shards: Shard[] = [];
  for (const [toolkit, title] of header.toolkits) {
    const from = reader.at();
    const size = checkArrays(reader, dimensions, header.words);
    shards.push(new StoredShard({ toolkit, title, size, view, from, progress }));
    await slices.rest();
  }
  await slices.run(state.fill(shards));
  progress.isFilled = true;
  return state;
}

/** Passes the arrays of a toolkit and answers how many tools it has. */
function checkArrays(reader: Reader, dimensions: number, words: number): number {
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
  if (!fits) throw refused('the arrays of a toolkit do not fit together');
  return size;
}

function areBelow(numbers: Uint32Array | Uint16Array, limit: number): boolean {
  for (let at = 0; at < numbers.length; at++) if ((numbers[at] ?? 0) >= limit) return false;
  return true;
}

function readHeader(block: Uint8Array): Header {
  try {
    return JSON.parse(new TextDecoder().decode(block)) as Header;
  } catch (cause) {
    throw refused('a block is not JSON', cause);
  }
}
