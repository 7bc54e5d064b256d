/**
 * The postings of all toolkits of a catalogue, most of them merged, those that came since beside them, and the numbers of
 * their tools. A merge is done in steps aside and takes effect at once.
 */
import { createToolNumbers, nowhere } from '../tool-numbers.js';
import { emptyMerged, type MergedPostings, mergeShards } from './merged.js';
import { createScoreboard, type Scoreboard } from './score.js';
import { findSlot, type Shard } from './shard.js';
import type { Vocabulary } from './vocabulary.js';

/** A scoreboard with the number of each shard's first tool, and the shard of each tool. */
export interface NumberedBoard {
  readonly board: Scoreboard;
  readonly bases: Uint32Array;
  readonly shardOfTool: Uint32Array;
}

export interface ToolkitPostings {
  add(number: number, shard: Shard): void;
  remove(number: number, shard: Shard): void;
  /** Toolkits (by number) that have a term. */
  places(term: number): readonly number[];
  /** How many tools, and how many toolkits, came or went since the last merge. */
  loose(): { readonly tools: number; readonly toolkits: number };
  merge(): Generator<undefined, void>;
  board(): NumberedBoard;
}

/** `shards` is the catalogue's own list, by number; undefined where a toolkit went. */
export function createToolkitPostings(
  shards: readonly (Shard | undefined)[],
  vocabulary: () => Vocabulary,
): ToolkitPostings {
  let numbers = createToolNumbers();
  let merged: MergedPostings = emptyMerged;
  const loose = new Set<number>();
  let holes = 0;
  let board: Scoreboard | undefined;
  const known = new Map<number, readonly number[]>();
  return {
    add(number, shard) {
      loose.add(number);
      if (numbers.add(number, shard.ids.length)) board = undefined;
      known.clear();
    },
    remove(number, shard) {
      numbers.remove(number, shard.ids.length);
      loose.delete(number);
      holes += shard.ids.length;
      known.clear();
    },
    places(term) {
      const found = known.get(term) ?? placesIn(term, merged, numbers.shardOfTool, shards, loose);
      known.set(term, found);
      return found;
    },
    loose() {
      let tools = holes;
      for (const number of loose) tools += shards[number]?.ids.length ?? 0;
      return { tools, toolkits: loose.size };
    },
    *merge() {
      const live = shards.flatMap((shard, number) => (shard === undefined ? [] : [{ shard, number }]));
      const size = live.reduce((sum, { shard }) => sum + shard.ids.length, 0);
      const renumbered = createToolNumbers(Math.ceil(size * 1.1) + 256, shards.length + 16);
      for (const { shard, number } of live) renumbered.add(number, shard.ids.length);
      yield undefined;
      const based = live.map(({ shard, number }) => ({ shard, base: renumbered.bases[number] ?? 0 }));
      merged = yield* mergeShards(based, vocabulary().size);
      // Those that went while the others were merged.
      const left = live.filter(({ shard, number }) => shards[number] !== shard);
      for (const { shard, number } of left) renumbered.remove(number, shard.ids.length);
      holes = left.reduce((sum, { shard }) => sum + shard.ids.length, 0);
      numbers = renumbered;
      loose.clear();
      board = undefined;
    },
    board() {
      const { bases, shardOfTool } = numbers;
      board ??= createScoreboard({ shards, bases, shardOfTool, merged, loose });
      return { board, bases, shardOfTool };
    },
  };
}

function placesIn(
  term: number,
  { starts, tools }: MergedPostings,
  shardOfTool: Uint32Array,
  shards: readonly (Shard | undefined)[],
  loose: ReadonlySet<number>,
): readonly number[] {
  const found = new Set<number>();
  const end = starts[term + 1] ?? 0;
  for (let at = end === 0 ? 0 : (starts[term] ?? 0); at < end; at++) {
    const shard = shardOfTool[tools[at] ?? 0] ?? nowhere;
    if (shard !== nowhere) found.add(shard);
  }
  for (const number of loose) {
    const shard = shards[number];
    if (shard !== undefined && findSlot(shard, term) >= 0) found.add(number);
  }
  return [...found];
}
