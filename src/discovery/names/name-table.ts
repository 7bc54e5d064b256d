/**
 * Looks up names of tools by their letters alone, exactly or with one typing error.
 *
 * One error leaves one half of a name intact (except a swap across the middle, which is undone and looked up). So each
 * name is entered by both halves, with its length: far smaller than all its deletions, and just as complete. Matches of
 * the hashes are compared letter by letter.
 */
import { createHashTable, type HashColumns, hashText } from '../hash-table.js';
import type { DiscoveredTool } from '../tool.js';
import { listKeys } from './name-keys.js';

/** The hashes of the tools of one toolkit: `hashes[i]` belongs to tool `owners[i]`. */
export interface NameHashes {
  readonly hashes: Uint32Array;
  readonly owners: Uint16Array;
}

export interface NameTable {
  /** Enters a toolkit's names, some per step; `first` is the place of its first tool. */
  add(names: NameHashes, first: number): Generator<undefined, void>;
  remove(names: NameHashes, first: number): Generator<undefined, void>;
  /** Enters all names of many toolkits, which are iterated twice, into an empty table. */
  fill(all: () => Iterable<HashColumns>): Generator<undefined, void>;
  /** Calls `tell` for each tool that may have exactly this name; the caller compares. */
  exact(name: string, tell: (place: number) => void): void;
  /** Calls `tell` for each tool that may have a name one error away, some of them twice; the caller compares. */
  near(name: string, tell: (place: number) => void): void;
}

const seedOf = { whole: 0x811c9dc5, front: 0x01234567, back: 0x3c6ef372 };
/** Hashes per name: three keys, each as a whole and by its halves. */
const maxHashes = 9;
const namesAStep = 128;
const hashesAStep = 1_024;
/** A shorter name is too easily mistaken for another, so none is found by a part of its letters. */
export const minMistyped = 8;

/** Hashes the names of one toolkit's tools. */
export function* hashNames(
  tools: readonly Pick<DiscoveredTool, 'toolkit' | 'name'>[],
): Generator<undefined, NameHashes> {
  const hashes = new Uint32Array(tools.length * maxHashes);
  const owners = new Uint16Array(hashes.length);
  let count = 0;
  const put = (hash: number, tool: number) => {
    hashes[count] = hash;
    owners[count++] = tool;
  };
  for (const [tool, { toolkit, name }] of tools.entries()) {
    const { full, bare, whole } = listKeys(toolkit, name);
    for (const key of new Set([full, bare, whole])) {
      put(hashText(key, 0, key.length, seedOf.whole), tool);
      if (key.length < minMistyped - 1) continue;
      const middle = key.length >> 1;
      put(halfHash(key, 0, middle, key.length, seedOf.front), tool);
      put(halfHash(key, middle, key.length, key.length, seedOf.back), tool);
    }
    if (tool % namesAStep === namesAStep - 1) yield undefined;
  }
  return { hashes: hashes.slice(0, count), owners: owners.slice(0, count) };
}

export function createNameTable(): NameTable {
  const table = createHashTable();
  const all = (hash: number, tell: (place: number) => void) => {
    table.find(hash, (place) => {
      tell(place);
      return false;
    });
  };
  const each = function* (
    { hashes, owners }: NameHashes,
    act: (hash: number, owner: number) => void,
  ): Generator<undefined, void> {
    for (let at = 0; at < hashes.length; at++) {
      act(hashes[at] ?? 0, owners[at] ?? 0);
      if (at % hashesAStep === hashesAStep - 1) yield undefined;
    }
  };
  return {
    add: (names, first) => each(names, (hash, owner) => table.add(hash, first + owner)),
    remove: (names, first) => each(names, (hash, owner) => table.remove(hash, first + owner)),
    fill: table.fill,
    exact: (name, tell) => all(hashText(name, 0, name.length, seedOf.whole), tell),
    near(name, tell) {
      for (const length of [name.length, name.length - 1, name.length + 1]) {
        const middle = length >> 1;
        const back = name.length - (length - middle);
        all(halfHash(name, 0, middle, length, seedOf.front), tell);
        all(halfHash(name, back, name.length, length, seedOf.back), tell);
      }
      const middle = name.length >> 1;
      const undone = exchange(name, middle);
      if (middle > 0) all(hashText(undone, 0, undone.length, seedOf.whole), tell);
    },
  };
}

function exchange(name: string, at: number): string {
  return `${name.slice(0, at - 1)}${name[at] ?? ''}${name[at - 1] ?? ''}${name.slice(at + 1)}`;
}

function halfHash(name: string, from: number, to: number, length: number, seed: number): number {
  return hashText(name, from, to, Math.imul(seed ^ length, 0x01000193));
}
