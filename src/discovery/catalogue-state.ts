/**
 * All that an index holds, and the three ways it changes: a toolkit comes, goes, or is replaced. A toolkit is entered in one
 * turn of the event loop, from a shard that was built aside, so that no search sees half of one.
 */
import { type AppNames, createAppNames } from './apps/app-names.js';
import { keysOf, placeOf } from './names/find-names.js';
import { createNameTable, type NameTable } from './names/name-table.js';
import { createScoreboard, type Scoreboard } from './postings/score.js';
import type { Shard } from './postings/shard.js';
import { createVocabulary, type Vocabulary } from './postings/vocabulary.js';

/** A scoreboard with the number of each shard's first tool, and the shard of each tool. */
export interface NumberedBoard {
  readonly board: Scoreboard;
  readonly bases: Uint32Array;
  readonly shardOfTool: Uint32Array;
}

export interface CatalogueState {
  readonly vocabulary: Vocabulary;
  readonly apps: AppNames;
  readonly names: NameTable;
  /** By number; undefined where a toolkit went. */
  readonly shards: readonly (Shard | undefined)[];
  /** Tools in all. */
  readonly size: number;
  numberOf(toolkit: string): number | undefined;
  /** Enters a toolkit, in place of the one of that slug. */
  enter(shard: Shard): void;
  /** Takes a toolkit out; false if there is none. */
  leave(toolkit: string): boolean;
  /** The scoreboard of now. */
  board(): NumberedBoard;
}

export function createCatalogueState(vocabulary: Vocabulary = createVocabulary()): CatalogueState {
  const apps = createAppNames();
  const names = createNameTable();
  const shards: (Shard | undefined)[] = [];
  const numbers = new Map<string, number>();
  const free: number[] = [];
  let size = 0;
  let made: NumberedBoard | undefined;

  const count = (shard: Shard, number: number, sign: 1 | -1) => {
    for (const [slot, term] of shard.terms.entries())
      vocabulary.adjust(term, number, sign * ((shard.starts[slot + 1] ?? 0) - (shard.starts[slot] ?? 0)));
    for (let tool = 0; tool < shard.ids.length; tool++) {
      const { full, bare, whole } = keysOf(shard, tool);
      for (const key of new Set([full, bare, whole]))
        if (sign > 0) names.add(placeOf(number, tool), key);
        else names.remove(placeOf(number, tool), key);
    }
    size += sign * shard.ids.length;
    made = undefined;
  };
  const leave = (toolkit: string) => {
    const number = numbers.get(toolkit);
    const shard = number === undefined ? undefined : shards[number];
    if (number === undefined || shard === undefined) return false;
    count(shard, number, -1);
    apps.remove(number);
    shards[number] = undefined;
    numbers.delete(toolkit);
    free.push(number);
    return true;
  };
  return {
    vocabulary,
    apps,
    names,
    shards,
    get size() {
      return size;
    },
    numberOf: (toolkit) => numbers.get(toolkit),
    enter(shard) {
      leave(shard.toolkit);
      const number = free.pop() ?? shards.length;
      shards[number] = shard;
      numbers.set(shard.toolkit, number);
      apps.add(number, shard.toolkit, shard.title);
      count(shard, number, 1);
    },
    leave,
    board() {
      made ??= makeBoard(shards, size, vocabulary);
      return made;
    },
  };
}

function makeBoard(shards: readonly (Shard | undefined)[], size: number, vocabulary: Vocabulary): NumberedBoard {
  const shardOfTool = new Uint32Array(size);
  const bases = new Uint32Array(shards.length);
  let next = 0;
  for (const [number, shard] of shards.entries()) {
    bases[number] = next;
    shardOfTool.fill(number, next, next + (shard?.ids.length ?? 0));
    next += shard?.ids.length ?? 0;
  }
  return { bases, shardOfTool, board: createScoreboard(shards, bases, size, vocabulary) };
}
