/**
 * An index as bytes and back: what is dear to compute (postings, hashes of names) is kept, what is cheap (aliases of apps,
 * the merged postings) is made again.
 *
 * The layout is a length-prefixed run of blocks after a head of sixteen bytes: the version, and a checksum of all blocks.
 * The first block tells how many toolkits follow; then the words; then for each toolkit its texts and its arrays, several in a block.
 * Snapshots are a cache of this machine's: another layout or byte order is refused, and the index built anew.
 */
import { crc32 } from 'node:zlib';
import { HelveError } from '../spec/errors.js';
import type { Slices } from '../util/slices.js';
import { type BuiltToolkit, type CatalogueState, createCatalogueState } from './catalogue-state.js';
import type { NameHashes } from './names/name-table.js';
import type { Shard } from './postings/shard.js';
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
} as const;
const nameArrays = { hashes: Uint32Array, owners: Uint16Array } as const;

type Numbers = Uint32Array | Uint16Array | Uint8Array | Int8Array;
interface KindOf<Kind> {
  new (buffer: ArrayBuffer, from: number, length: number): Kind;
  readonly BYTES_PER_ELEMENT: number;
}
type Kinds = Readonly<Record<string, KindOf<Numbers>>>;
type ArraysOf<Table extends Kinds> = { readonly [Name in keyof Table]: InstanceType<Table[Name]> };

/** One run of bytes, or several of which each begins at a multiple of four. */
type Block = readonly Uint8Array[];

interface Header {
  readonly toolkits: number;
  readonly words: number;
}

export async function saveState(state: CatalogueState, slices: Slices): Promise<Uint8Array> {
  const blocks: Block[] = [];
  const toolkits = state.toolkits();
  const words = state.vocabulary.size;
  blocks.push([new TextEncoder().encode(JSON.stringify({ toolkits: toolkits.length, words } satisfies Header))]);
  const { letters, ends } = state.vocabulary.letters(words);
  blocks.push([bytesOf(letters)], [bytesOf(ends)]);
  for (const { shard, names } of toolkits) {
    blocks.push([writeTexts([[shard.toolkit, shard.title], shard.ids, shard.names])]);
    blocks.push(...arraysOf(shard, shardArrays), ...arraysOf(names, nameArrays));
    await slices.rest();
  }
  return slices.run(join(blocks));
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Numbers) => new Uint8Array(buffer, byteOffset, byteLength);

/** The lengths of all arrays of a table in bytes, and the arrays. */
function arraysOf<Name extends string>(
  given: Readonly<Record<NoInfer<Name>, Numbers>>,
  table: Readonly<Record<Name, unknown>>,
): Block[] {
  const arrays = Object.keys(table).map((name) => bytesOf(given[name as Name]));
  return [[bytesOf(Uint32Array.from(arrays, ({ length }) => length))], arrays];
}

const sizeOf = (block: Block) =>
  block.length === 1 ? (block[0]?.length ?? 0) : block.reduce((sum, { length }) => sum + aligned(length), 0);

const aligned = (length: number) => (length + 3) & ~3;

function* join(blocks: readonly Block[]): Generator<undefined, Uint8Array> {
  const whole = new Uint8Array(blocks.reduce((sum, block) => sum + 4 + sizeOf(block), headBytes));
  const view = new DataView(whole.buffer);
  let at = headBytes;
  let copied = 0;
  for (const block of blocks) {
    view.setUint32(at, sizeOf(block), true);
    at += 4;
    for (const part of block) {
      for (let from = 0; from < part.length; from += bytesAStep) {
        const piece = part.subarray(from, from + bytesAStep);
        whole.set(piece, at + from);
        copied += piece.length;
        if (copied < bytesAStep) continue;
        copied = 0;
        yield undefined;
      }
      at += block.length === 1 ? part.length : aligned(part.length);
    }
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
  // A Buffer's `slice` is no copy, so its bytes are looked at as a plain array.
  const snapshot = new Uint8Array(given.buffer, given.byteOffset, given.byteLength);
  const view = new DataView(snapshot.buffer, snapshot.byteOffset, snapshot.byteLength);
  const isOurs = snapshot.length > headBytes && new TextDecoder().decode(snapshot.subarray(0, magic.length)) === magic;
  if (!isOurs) throw refused('it is no snapshot of this version');
  if (view.getUint32(magic.length, true) !== (await slices.run(sumOf(snapshot))))
    throw refused('it was altered or cut');
  const next = reader(snapshot, view);
  const header = readHeader(next());
  const state = createCatalogueState();
  const letters = read(next(), Uint16Array);
  const ends = read(next(), Uint32Array);
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

function readToolkit(next: () => Uint8Array, words: number, dimensions: number): BuiltToolkit {
  const [own = [], ids = [], titles = []] = texts(next());
  const [toolkit = '', title = ''] = own;
  const shard: Shard = { toolkit, title, ids, names: titles, ...readArrays(next, shardArrays) };
  const names: NameHashes = readArrays(next, nameArrays);
  const { length } = ids;
  const fits =
    shard.names.length === length &&
    shard.actions.length === length &&
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

function areBelow(numbers: Uint32Array | Uint16Array, limit: number): boolean {
  for (let at = 0; at < numbers.length; at++) if ((numbers[at] ?? 0) >= limit) return false;
  return true;
}

/** All arrays of a table in one buffer of their own: many thousands of small ones would be a burden. */
function readArrays<Table extends Kinds>(next: () => Uint8Array, table: Table): ArraysOf<Table> {
  const lengths = read(next(), Uint32Array);
  const { buffer } = next().slice();
  const arrays: Record<string, Numbers> = {};
  let at = 0;
  let index = 0;
  for (const name in table) {
    const Kind = table[name];
    const length = lengths[index++] ?? 0;
    if (Kind === undefined || at + length > buffer.byteLength) throw refused('an array is cut');
    arrays[name] = new Kind(buffer, at, length / Kind.BYTES_PER_ELEMENT);
    at += aligned(length);
  }
  return arrays as ArraysOf<Table>;
}

function read<Kind extends Numbers>(block: Uint8Array, Kind: KindOf<Kind>): Kind {
  if (block.length % Kind.BYTES_PER_ELEMENT !== 0) throw refused('an array is cut');
  return new Kind(block.slice().buffer, 0, block.length / Kind.BYTES_PER_ELEMENT);
}

function reader(snapshot: Uint8Array, view: DataView): () => Uint8Array {
  let at = headBytes;
  return () => {
    const length = at + 4 <= snapshot.length ? view.getUint32(at, true) : Number.POSITIVE_INFINITY;
    if (at + 4 + length > snapshot.length) throw refused('it ends too early');
    at += 4 + length;
    return snapshot.subarray(at - length, at);
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
