/**
 * An index as bytes and back: what is dear to compute (postings, hashes of names) is kept, what is cheap (aliases of apps,
 * the merged postings) is made again.
 *
 * After a head of sixteen bytes (the version, and a checksum of all that follows) come blocks, each with its length before
 * it and beginning at a multiple of four. The first tells how many toolkits follow; then come the words; then of each toolkit
 * its name and each of its arrays. A loaded index reads its arrays where they stand, in the snapshot that it was given.
 * Snapshots are a cache of this machine's: another layout or byte order is refused, and the index built anew.
 */
import { crc32 } from 'node:zlib';
import { HelveError } from '../spec/errors.js';
import type { Slices } from '../util/slices.js';
import { type BuiltToolkit, type CatalogueState, createCatalogueState } from './catalogue-state.js';
import type { NameHashes } from './names/name-table.js';
import type { Shard, ShardTexts } from './postings/shard.js';
import { readTexts, writeTexts } from './snapshot-texts.js';

const magic = 'helve-index3';
const headBytes = 16;
/** What is copied or summed at one step. */
const bytesAStep = 512 * 1_024;

/** The arrays of a toolkit: a new one is one line here. */
const shardArrays = {
  terms: Uint32Array,
  starts: Uint32Array,
  tools: Uint16Array,
  weights: Uint8Array,
  nameTerms: Uint32Array,
  nameStarts: Uint32Array,
  actions: Uint32Array,
  described: Uint8Array,
  plural: Uint8Array,
  titleTerms: Uint32Array,
  vectors: Int8Array,
  fingerprints: Uint32Array,
  texts: Uint8Array,
} as const;
const nameArrays = { hashes: Uint32Array, owners: Uint16Array } as const;

type Numbers = Uint32Array | Uint16Array | Uint8Array | Int8Array;
interface KindOf<Kind> {
  new (buffer: ArrayBufferLike, from: number, length: number): Kind;
  readonly BYTES_PER_ELEMENT: number;
}
type Kinds = Readonly<Record<string, KindOf<Numbers>>>;
type ArraysOf<Table extends Kinds> = { readonly [Name in keyof Table]: InstanceType<Table[Name]> };

/** Gives the next block, as numbers of this kind. */
type Next = <Kind extends Numbers>(Kind: KindOf<Kind>) => Kind;

interface Header {
  readonly toolkits: number;
  readonly words: number;
}

export async function saveState(state: CatalogueState, slices: Slices): Promise<Uint8Array> {
  const blocks: Uint8Array[] = [];
  const toolkits = state.toolkits();
  const words = state.vocabulary.size;
  blocks.push(new TextEncoder().encode(JSON.stringify({ toolkits: toolkits.length, words } satisfies Header)));
  const { letters, ends } = state.vocabulary.letters(words);
  blocks.push(bytesOf(letters), bytesOf(ends));
  for (const { shard, names } of toolkits) {
    const { ids, names: own } = shard.texts();
    blocks.push(writeTexts([[shard.toolkit, shard.title]]));
    blocks.push(...arraysOf({ ...shard, texts: writeTexts([ids, own]) }, shardArrays), ...arraysOf(names, nameArrays));
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

const aligned = (length: number) => (length + 3) & ~3;

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
  const next = reader(view);
  const header = readHeader(next(Uint8Array));
  const state = createCatalogueState();
  const letters = next(Uint16Array);
  const ends = next(Uint32Array);
  if (ends.length !== header.words || (ends.at(-1) ?? 0) !== letters.length) throw refused('its words are incomplete');
  await slices.run(state.vocabulary.fill({ letters, ends }));
  const toolkits: BuiltToolkit[] = [];
  for (let at = 0; at < header.toolkits; at++) {
    toolkits.push(readToolkit(next, header.words, dimensions));
    await slices.rest();
  }
  await slices.run(state.fill(toolkits));
  return state;
}

function readToolkit(next: Next, words: number, dimensions: number): BuiltToolkit {
  const [[toolkit = '', title = ''] = []] = texts(next(Uint8Array));
  const arrays = readArrays(next, shardArrays);
  const { length } = arrays.actions;
  const shard: Shard = { toolkit, title, size: length, ...arrays, texts: readLater(arrays.texts, length) };
  const names: NameHashes = readArrays(next, nameArrays);
  const fits =
    shard.nameStarts.length === length + 1 &&
    shard.starts.length === shard.terms.length + 1 &&
    shard.starts.at(-1) === shard.tools.length &&
    shard.tools.length === shard.weights.length &&
    shard.vectors.length === length * dimensions &&
    shard.fingerprints.length === 2 * length &&
    names.hashes.length === names.owners.length &&
    areBelow(shard.terms, words) &&
    areBelow(names.owners, length);
  if (!fits) throw refused(`the arrays of toolkit ${toolkit} do not fit together`);
  return { shard, names };
}

/** The texts stay bytes until somebody asks: most toolkits of a large catalogue are never among the hits. */
function readLater(block: Uint8Array, count: number): () => ShardTexts {
  let read: ShardTexts | undefined;
  return () => {
    if (read === undefined) {
      const [ids = [], names = []] = texts(block);
      if (ids.length !== count || names.length !== count) throw refused('its texts are not one for each tool');
      read = { ids, names };
    }
    return read;
  };
}

function areBelow(numbers: Uint32Array | Uint16Array, limit: number): boolean {
  for (let at = 0; at < numbers.length; at++) if ((numbers[at] ?? 0) >= limit) return false;
  return true;
}

function readArrays<Table extends Kinds>(next: Next, table: Table): ArraysOf<Table> {
  const arrays: Record<string, Numbers> = {};
  for (const name in table) arrays[name] = next(table[name] as Table[typeof name]);
  return arrays as ArraysOf<Table>;
}

function reader(view: DataView): Next {
  let at = headBytes;
  return (Kind) => {
    const from = at + 4;
    const length = from <= view.byteLength ? view.getUint32(at, true) : Number.POSITIVE_INFINITY;
    if (from + length > view.byteLength) throw refused('it ends too early');
    if (length % Kind.BYTES_PER_ELEMENT !== 0) throw refused('an array is cut');
    at = from + aligned(length);
    return new Kind(view.buffer, view.byteOffset + from, length / Kind.BYTES_PER_ELEMENT);
  };
}

function readHeader(block: Uint8Array): Header {
  try {
    return JSON.parse(new TextDecoder().decode(block)) as Header;
  } catch (cause) {
    throw refused('a block is not JSON', cause);
  }
}

function texts(block: Uint8Array): string[][] {
  try {
    return readTexts(block);
  } catch (cause) {
    throw refused('a block of texts cannot be read', cause);
  }
}

function refused(why: string, cause?: unknown): HelveError {
  return new HelveError('invalid_input', `The snapshot of the tool index cannot be read: ${why}`, {
    hint: 'Build the index from the tools again.',
    ...(cause !== undefined && { cause }),
  });
}
