/**
 * Arrays of numbers, stored one after the other in one buffer, each as a block: its length in bytes, then its content.
 */
import { HelveError } from '../domain/errors.js';

export type Numbers = Uint32Array | Uint16Array | Uint8Array | Int8Array;
interface KindOf<Kind> {
  new (buffer: ArrayBufferLike, from: number, length: number): Kind;
  readonly BYTES_PER_ELEMENT: number;
}
export type Kinds = Readonly<Record<string, KindOf<Numbers>>>;
type ArraysOf<Table extends Kinds> = { readonly [Name in keyof Table]: InstanceType<Table[Name]> };

/** Reads consecutive blocks. */
export interface Reader {
  /** The next block, as numbers of this type. */
  next<Kind extends Numbers>(Kind: KindOf<Kind>): Kind;
  skip(): void;
}

/** Blocks start at multiples of four. */
const aligned = (length: number) => (length + 3) & ~3;

export const getBytes = ({ buffer, byteOffset, byteLength }: Numbers) => new Uint8Array(buffer, byteOffset, byteLength);

/** The arrays of a table, in its order, as bytes. */
export function getArrays<Name extends string>(
  given: Readonly<Record<NoInfer<Name>, Numbers>>,
  table: Readonly<Record<Name, unknown>>,
): Uint8Array[] {
  return Object.keys(table).map((name) => getBytes(given[name as Name]));
}

/** Bytes copied in one step. */
const bytesAStep = 512 * 1_024;

/** Writes blocks to a new buffer, after `headBytes` that are left free. */
export function* writeBlocks(blocks: readonly Uint8Array[], headBytes = 0): Generator<undefined, Uint8Array> {
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
  return whole;
}

export function readArrays<Table extends Kinds>(reader: Reader, table: Table): ArraysOf<Table> {
  const arrays: Record<string, Numbers> = {};
  for (const name in table) arrays[name] = reader.next(table[name] as Table[typeof name]);
  return arrays as ArraysOf<Table>;
}

export function createReader({ buffer, byteOffset, byteLength }: Uint8Array, from = 0): Reader {
  const view = new DataView(buffer, byteOffset, byteLength);
  let at = from;
  const lengthAt = () => (at + 4 <= view.byteLength ? view.getUint32(at, true) : Number.POSITIVE_INFINITY);
  return {
    next(Kind) {
      const start = at + 4;
      const length = lengthAt();
      if (start + length > view.byteLength) throw refused('it is truncated');
      if (length % Kind.BYTES_PER_ELEMENT !== 0) throw refused('an array is truncated');
      at = start + aligned(length);
      return new Kind(view.buffer, view.byteOffset + start, length / Kind.BYTES_PER_ELEMENT);
    },
    skip() {
      at += 4 + aligned(lengthAt());
    },
  };
}

export function refused(why: string, cause?: unknown): HelveError {
  return new HelveError('invalid_input', `The snapshot of the tool index cannot be read: ${why}`, {
    hint: 'Build the index from the tools again.',
    ...(cause !== undefined && { cause }),
  });
}
