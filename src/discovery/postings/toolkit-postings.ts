/**
 * The postings of all toolkits of a catalogue, most of them merged and those added since next to them, and the numbers
 * of their tools. A merge is done in steps on the side and takes effect in one step.
 */
import { createToolNumbers } from '../tool-numbers.js';
import { emptyMerged, type MergedPostings, mergeShards } from './merged.js';
import { createScoreboard, type Scoreboard } from './score.js';
import type { Shard } from './shard.js';
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
  /** How many tools and toolkits were added or removed since the last merge. */
  loose(): { readonly tools: number; readonly toolkits: number };
  merge(): Generator<undefined, void>;
  board(): NumberedBoard;
}

/** `shards` is the catalogue's own list, by number; undefined if a toolkit was removed. */
export function createToolkitPostings(shards: readonly (Shard | undefined)[], vocabulary: Vocabulary): ToolkitPostings {
  let numbers = createToolNumbers();
  let merged: MergedPostings = emptyMerged;
  const loose = new Set<number>();
  let holes = 0;
  let board: Scoreboard | undefined;
  return {
    add(number, shard) {
      loose.add(number);
      if (numbers.add(number, shard.size)) board = undefined;
    },
    remove(number, shard) {
      numbers.remove(number, shard.size);
      loose.delete(number);
      holes += shard.size;
    },
    loose() {
      let tools = holes;
      for (const number of loose) tools += shards[number]?.size ?? 0;
      return { tools, toolkits: loose.size };
    },
    *merge() {
      const live = shards.flatMap((shard, number) => (shard === undefined ? [] : [{ shard, number }]));
      // Computed for these shards, before any of them can be removed.
      const starts = vocabulary.starts();
      const size = live.reduce((sum, { shard }) => sum + shard.size, 0);
      const renumbered = createToolNumbers(Math.ceil(size * 1.1) + 256, shards.length + 16);
      for (const { shard, number } of live) renumbered.add(number, shard.size);
      yield undefined;
      const based = live.map(({ shard, number }) => ({ shard, base: renumbered.bases[number] ?? 0 }));
      merged = yield* mergeShards(based, starts);
      // Shards that were removed during the merge.
      const left = live.filter(({ shard, number }) => shards[number] !== shard);
      for (const { shard, number } of left) renumbered.remove(number, shard.size);
      holes = left.reduce((sum, { shard }) => sum + shard.size, 0);
      numbers = renumbered;
      loose.clear();
      board = undefined;
    },
    board() {
      const { bases, shardOfTool } = numbers;
      board ??= createScoreboard({ shards, bases, shardOfTool, merged, loose, hasHoles: () => holes > 0 });
      return { board, bases, shardOfTool };
    },
  };
}
