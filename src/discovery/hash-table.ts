/**
 * Maps hashes to numbers, several per hash, in typed arrays: it creates no garbage and never pauses long to grow, since
 * each of its many parts grows separately. Two texts may share a hash: the caller compares them.
 */
export interface HashTable {
  /** Both are unsigned 32-bit integers. */
  add(hash: number, value: number): void;
  /** Removes one such pair, if present. */
  remove(hash: number, value: number): void;
  /** Puts many pairs, which are iterated twice, into an empty table: several times faster than one by one. */
  fill(columns: () => Iterable<HashColumns>): Generator<undefined, void>;
  /** The first value under this hash that passes the test; -1 if none does. */
  find(hash: number, passes: (value: number) => boolean): number;
}

/** Pairs of `hashes[i]` and `first + owners[i]`. */
export interface HashColumns {
  readonly hashes: Uint32Array;
  readonly owners: Uint16Array;
  readonly first: number;
}

/** Chains of cells: each has its hash, its value and the next cell. Cells and heads count from 1; 0 means none. */
interface Part {
  heads: Uint32Array;
  cells: Uint32Array;
  used: number;
  free: number;
}

const partBits = 8;
const cellSize = 3;
const firstCells = 8;

export function createHashTable(): HashTable {
  const parts: (Part | undefined)[] = Array.from({ length: 1 << partBits });
  return {
    add(hash, value) {
      const at = hash >>> (32 - partBits);
      const part = parts[at] ?? emptyPart();
      parts[at] = part;
      const cell = takeCell(part);
      const head = hash & (part.heads.length - 1);
      const start = (cell - 1) * cellSize;
      part.cells[start] = hash;
      part.cells[start + 1] = value;
      part.cells[start + 2] = part.heads[head] ?? 0;
      part.heads[head] = cell;
    },
    remove(hash, value) {
      const part = parts[hash >>> (32 - partBits)];
      if (part === undefined) return;
      const { heads, cells } = part;
      const head = hash & (heads.length - 1);
      let before = 0;
      for (let cell = heads[head] ?? 0; cell !== 0; cell = getNext(cells, cell)) {
        const at = (cell - 1) * cellSize;
        if (cells[at] === hash && cells[at + 1] === value) {
          if (before === 0) heads[head] = getNext(cells, cell);
          else cells[(before - 1) * cellSize + 2] = getNext(cells, cell);
          cells[at + 2] = part.free;
          part.free = cell;
          return;
        }
        before = cell;
      }
    },
    fill: (columns) => fillParts(parts, columns),
    find(hash, passes) {
      const part = parts[hash >>> (32 - partBits)];
      if (part === undefined) return -1;
      const { heads, cells } = part;
      for (let cell = heads[hash & (heads.length - 1)] ?? 0; cell !== 0; cell = getNext(cells, cell)) {
        const at = (cell - 1) * cellSize;
        const value = cells[at + 1] ?? 0;
        if (cells[at] === hash && passes(value)) return value;
      }
      return -1;
    },
  };
}

const getNext = (cells: Uint32Array, cell: number) => cells[(cell - 1) * cellSize + 2] ?? 0;

function* fillParts(parts: (Part | undefined)[], columns: () => Iterable<HashColumns>): Generator<undefined, void> {
  const counts = new Uint32Array(parts.length);
  for (const { hashes } of columns()) {
    for (let at = 0; at < hashes.length; at++) {
      const part = (hashes[at] ?? 0) >>> (32 - partBits);
      counts[part] = (counts[part] ?? 0) + 1;
    }
    yield undefined;
  }
  for (const [at, count] of counts.entries()) {
    parts[at] = emptyPart(2 ** Math.ceil(Math.log2(count + firstCells)));
    yield undefined;
  }
  for (const column of columns()) {
    append(parts, column);
    yield undefined;
  }
  for (const part of parts) {
    if (part !== undefined) chain(part);
    yield undefined;
  }
}

function emptyPart(size = firstCells): Part {
  return { heads: new Uint32Array(size), cells: new Uint32Array(size * cellSize), used: 0, free: 0 };
}

/** Writes pairs into cells that are not in a chain yet. */
function append(parts: readonly (Part | undefined)[], { hashes, owners, first }: HashColumns): void {
  for (let from = 0; from < hashes.length; from++) {
    const hash = hashes[from] ?? 0;
    const part = parts[hash >>> (32 - partBits)];
    if (part === undefined) continue;
    const at = part.used * cellSize;
    part.cells[at] = hash;
    part.cells[at + 1] = first + (owners[from] ?? 0);
    part.used += 1;
  }
}

/** Puts every used cell into its chain. */
function chain({ heads, cells, used }: Part): void {
  for (let cell = 1; cell <= used; cell++) {
    const at = (cell - 1) * cellSize;
    const head = (cells[at] ?? 0) & (heads.length - 1);
    cells[at + 2] = heads[head] ?? 0;
    heads[head] = cell;
  }
}

function takeCell(part: Part): number {
  if (part.free !== 0) {
    const cell = part.free;
    part.free = getNext(part.cells, cell);
    return cell;
  }
  if (part.used === part.heads.length) grow(part);
  part.used += 1;
  return part.used;
}

/** Called only when every cell is in use, so each of them is in a chain. */
function grow(part: Part): void {
  const size = part.heads.length * 2;
  const cells = new Uint32Array(size * cellSize);
  cells.set(part.cells);
  part.heads = new Uint32Array(size);
  part.cells = cells;
  chain(part);
}

const prime = 0x01000193;

/** A hash of a part of a text, different for every seed. */
export function hashText(text: string, from = 0, to = text.length, seed = 0x811c9dc5): number {
  let value = seed;
  for (let at = from; at < to; at++) value = Math.imul(value ^ text.charCodeAt(at), prime);
  return spread(value);
}

/** The same hash, for letters stored as numbers. */
export function hashLetters(letters: Uint16Array, from: number, to: number): number {
  let value = 0x811c9dc5;
  for (let at = from; at < to; at++) value = Math.imul(value ^ (letters[at] ?? 0), prime);
  return spread(value);
}

/** Both ends of the number are used, so each bit must depend on all letters. */
function spread(value: number): number {
  const mixed = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d);
  return (mixed ^ (mixed >>> 13)) >>> 0;
}
