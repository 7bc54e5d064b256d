/**
 * BM25F over all toolkits. A word counts once for a tool, by the best of its variants.
 *
 * Most toolkits are read from the merged postings, those added since from their own. A search that wants only the best
 * few takes the rarest words first: as soon as the rest cannot lift a new tool among those few, or two thousand tools
 * have one of the first words, it only adds to the tools already found. Common words, and verbs with their many
 * synonyms, have long postings; they come last and so cost little.
 */
import { nowhere } from '../tool-numbers.js';
import type { MergedPostings } from './merged.js';
import { weightUnit } from './posting-list.js';
import { findSlot, type Shard } from './shard.js';
import { createTally, type Scored, type Tally } from './tally.js';

export interface ScoredWord {
  readonly weight: number;
  /** The weight of the word if it is covered. */
  readonly mass: number;
  /** How rare tools with any of its variants are, weighted by the word. */
  readonly telling: number;
  readonly variants: readonly { readonly term: number; readonly share: number; readonly rarity: number }[];
}

/** Used when only the best tools are wanted. */
export interface Wanted {
  /** How many of the best must be among the result. */
  readonly most: number;
  /** Toolkits of which every tool must be found. */
  readonly always: Iterable<number>;
}

export interface Scoreboard {
  /**
   * Returns the scores of the tools of these shards (by number) that have any of the words, unordered: all, or those
   * wanted.
   */
  run(words: readonly ScoredWord[], shards: readonly number[] | undefined, wanted?: Wanted): Scored;
}

/** What is scored. Everything may change between two searches except the lengths of the arrays. */
export interface ScoredCatalogue {
  readonly shards: readonly (Shard | undefined)[];
  /** The number of the first tool of each shard, and the shard of each tool. */
  readonly bases: Uint32Array;
  readonly shardOfTool: Uint32Array;
  readonly merged: MergedPostings;
  /** Shards that are not in the merged postings. */
  readonly loose: ReadonlySet<number>;
  /** Whether the merged postings contain tools of removed toolkits. */
  hasHoles(): boolean;
}

const saturation = 3;
/** The contribution of each weight, as a share of the word's value. */
const saturated = Float32Array.from({ length: 256 }, (_, byte) => {
  const weight = byte / weightUnit;
  return ((saturation + 1) * weight) / (saturation + weight);
});
const maxSaturated = saturated[255] ?? 1;
/**
 * If this many tools match the most distinctive words, tools without any of these are not searched: such a tool would
 * have to be the best by words that thousands have.
 */
const manyTools = 2_000;
/** Looking tools up one by one pays off if a list is this many times as long as the number of tools. */
const worthProbing = 16;

/** How rare a term is among `total` tools. */
export function computeRarity(count: number, total: number): number {
  return Math.log(1 + (total - count + 0.5) / (count + 0.5));
}

interface Step {
  readonly word: ScoredWord;
  /** Its number in the request, from 1. */
  readonly number: number;
  /** The maximum that it can add to a tool. */
  readonly bound: number;
}

export function createScoreboard(catalogue: ScoredCatalogue): Scoreboard {
  const tally = createTally(catalogue.shardOfTool.length);
  return {
    run(words, only, wanted) {
      const steps = words.map((word, at): Step => ({ word, number: at + 1, bound: getBound(word) }));
      if (wanted === undefined || only !== undefined)
        for (const step of steps) addWord(catalogue, tally, step, only, false);
      else
        runWanted(
          catalogue,
          tally,
          steps.sort((a, b) => b.word.telling - a.word.telling),
          wanted,
        );
      dropHoles(catalogue, tally);
      return tally.take();
    },
  };
}

/** Tools of removed toolkits remain in the merged postings until the next merge. */
function dropHoles({ shardOfTool, hasHoles }: ScoredCatalogue, tally: Tally): void {
  if (hasHoles()) tally.keep((tool) => shardOfTool[tool] !== nowhere);
}

/**
 * Processes the most distinctive words first; stops adding new tools once the rest cannot lift one among the wanted.
 */
function runWanted(catalogue: ScoredCatalogue, tally: Tally, steps: readonly Step[], { most, always }: Wanted): void {
  const { scores } = tally;
  let left = steps.reduce((sum, { bound }) => sum + bound, 0);
  let done = 0;
  let isClosed = false;
  for (const step of steps) {
    // Dropped before counting: an app that was listed again is in there twice.
    if (tally.count() > most) dropHoles(catalogue, tally);
    // No score exceeds what has been processed so far, so counting earlier is useless.
    const isWorth = done > left && tally.count() > (isClosed ? 2 : 1) * most;
    const least = isWorth ? kthBest(scores, tally.touched, tally.count(), most) : 0;
    if (least > left) {
      const rest = left;
      tally.keep((tool) => (scores[tool] ?? 0) + rest >= least);
      isClosed = true;
    }
    isClosed ||= tally.count() >= manyTools;
    addWord(catalogue, tally, step, undefined, isClosed);
    left -= step.bound;
    done += step.bound;
  }
  const named = new Set(always);
  if (named.size === 0) return;
  tally.keep((tool) => !named.has(catalogue.shardOfTool[tool] ?? nowhere));
  for (const step of steps) addWord(catalogue, tally, step, named, false);
}

/** One variant of a word while it is added. */
interface Adding {
  readonly term: number;
  readonly word: number;
  readonly factor: number;
  readonly mass: number;
  /** Whether only tools that already have a score are increased. */
  readonly isClosed: boolean;
}

function addWord(
  catalogue: ScoredCatalogue,
  tally: Tally,
  { word, number }: Step,
  only: Iterable<number> | undefined,
  isClosed: boolean,
): void {
  for (const { term, share, rarity } of word.variants) {
    const adding = { term, word: number, factor: word.weight * share * rarity, mass: share * word.mass, isClosed };
    if (only === undefined) addMerged(catalogue.merged, tally, adding);
    for (const shard of only ?? catalogue.loose) addShard(catalogue, tally, shard, adding);
  }
}

function addShard(
  { shards, bases }: ScoredCatalogue,
  tally: Tally,
  number: number,
  { term, word, factor, mass, isClosed }: Adding,
): void {
  const postings = shards[number]?.postings();
  const slot = postings === undefined ? -1 : findSlot(postings, term);
  if (postings === undefined || slot < 0) return;
  const { starts, tools, weights } = postings;
  const base = bases[number] ?? 0;
  const end = starts[slot + 1] ?? 0;
  for (let at = starts[slot] ?? 0; at < end; at++) {
    const tool = base + (tools[at] ?? 0);
    if (isClosed && tally.scores[tool] === 0) continue;
    tally.add(tool, factor * (saturated[weights[at] ?? 0] ?? 0), word, mass);
  }
}

function addMerged(merged: MergedPostings, tally: Tally, adding: Adding): void {
  const { term, isClosed } = adding;
  const length = (merged.starts[term + 1] ?? 0) - (merged.starts[term] ?? 0);
  if (isClosed && length > worthProbing * tally.count()) addByTools(merged, tally, adding);
  else addByList(merged, tally, adding);
}

/** Looks each tool that has a score up in the list of the term. */
function addByTools({ starts, tools, weights }: MergedPostings, tally: Tally, adding: Adding): void {
  const { term, word, factor, mass } = adding;
  const { touched } = tally;
  const end = starts[term + 1] ?? 0;
  const count = tally.count();
  tally.sort();
  let at = starts[term] ?? 0;
  for (let next = 0; next < count && at < end; next++) {
    const tool = touched[next] ?? 0;
    at = seek(tools, at, end, tool);
    if (tools[at] === tool && at < end) tally.add(tool, factor * (saturated[weights[at] ?? 0] ?? 0), word, mass);
  }
}

/** Goes through the list of the term. */
function addByList({ starts, tools, weights }: MergedPostings, tally: Tally, adding: Adding): void {
  const { term, word, factor, mass, isClosed } = adding;
  const { scores } = tally;
  const end = starts[term + 1] ?? 0;
  for (let at = starts[term] ?? 0; at < end; at++) {
    const tool = tools[at] as number;
    if (isClosed && scores[tool] === 0) continue;
    tally.add(tool, factor * (saturated[weights[at] as number] as number), word, mass);
  }
}

function getBound({ weight, variants }: ScoredWord): number {
  let most = 0;
  for (const { share, rarity } of variants) most = Math.max(most, share * rarity);
  return weight * most * maxSaturated;
}

/** The first index from `from` on whose tool is not below `tool`. */
function seek(tools: Uint32Array, from: number, end: number, tool: number): number {
  let step = 1;
  let low = from;
  while (low + step < end && (tools[low + step] ?? 0) < tool) {
    low += step;
    step *= 2;
  }
  let high = Math.min(end, low + step);
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((tools[middle] ?? 0) < tool) low = middle + 1;
    else high = middle;
  }
  return low;
}

const bins = new Uint32Array(1_024);

/** A score that at least `wanted` of the touched tools reach, and not many more: found by counting. */
function kthBest(scores: Float32Array, touched: Uint32Array, count: number, wanted: number): number {
  let most = 0;
  for (let at = 0; at < count; at++) {
    const score = scores[touched[at] as number] as number;
    if (score > most) most = score;
  }
  const scale = most === 0 ? 0 : (bins.length - 1) / most;
  bins.fill(0);
  for (let at = 0; at < count; at++) {
    const bin = Math.floor((scores[touched[at] as number] as number) * scale);
    bins[bin] = (bins[bin] as number) + 1;
  }
  let reached = 0;
  let bin = bins.length;
  while (bin > 0 && reached < wanted) reached += bins[--bin] ?? 0;
  return scale === 0 ? 0 : bin / scale;
}
