/**
 * The content of an index, and its changes: a toolkit is added, removed or replaced.
 *
 * No search sees half a toolkit, and no change blocks for long. Slow work is done in steps on the side: names are
 * entered under a number that no search can reach yet, and those of a removed toolkit are cleared after it can no
 * longer be reached. The switch in between is one short step.
 */
import { HelveError } from '../domain/errors.js';
import { type AppNames, createAppNames } from './apps/app-names.js';
import { findPlace, getShard, toTool } from './names/find-names.js';
import { createNameTable, type NameTable } from './names/name-table.js';
import { areSame } from './postings/packed-texts.js';
import { idIn, type Shard } from './postings/shard.js';
import { createToolkitPostings, type NumberedBoard, type ToolkitPostings } from './postings/toolkit-postings.js';
import { createVocabulary, type Vocabulary } from './postings/vocabulary.js';
import { createNearWords, type NearWords } from './text/near-words.js';

export interface CatalogueState {
  readonly vocabulary: Vocabulary;
  /** Over the terms of the vocabulary, by their numbers. */
  readonly nearWords: NearWords;
  readonly apps: AppNames;
  readonly names: NameTable;
  /** By number; undefined if the toolkit was removed. */
  readonly shards: readonly (Shard | undefined)[];
  /** Total number of tools. */
  readonly size: number;
  numberOf(toolkit: string): number | undefined;
  /** All present toolkits. */
  toolkits(): Shard[];
  /** Enters a toolkit, replacing the one with the same slug: takes effect in the last step before clean-up. */
  enter(built: Shard): Generator<undefined, void>;
  /** Enters the toolkits of a snapshot into an empty state that is not searched yet. */
  fill(toolkits: readonly Shard[]): Generator<undefined, void>;
  /** Removes a toolkit immediately; false if there is none. `clear` then frees its memory. */
  leave(toolkit: string): boolean;
  clear(): Generator<undefined, void>;
  /** Merges the postings again if more than this share of the tools changed since the last merge. */
  settle(share: number): Generator<undefined, void>;
  /** The present scoreboard. */
  board(): NumberedBoard;
}

const maxToolkits = 65_535;
/** Fewer changed tools are never worth a merge; more toolkits always are. */
const fewTools = 1_024;
const manyToolkits = 64;

export function createCatalogueState(): CatalogueState {
  const shards: (Shard | undefined)[] = [];
  const vocabulary = createVocabulary();
  const nearWords = createNearWords(vocabulary);
  const postings = createToolkitPostings(shards, vocabulary);
  const apps = createAppNames();
  const names = createNameTable();
  const byToolkit = new Map<string, number>();
  const changes = createChanges({ shards, postings, vocabulary, apps, names, byToolkit });
  return {
    ...changes,
    vocabulary,
    nearWords,
    apps,
    names,
    shards,
    get size() {
      return changes.count();
    },
    numberOf: (toolkit) => byToolkit.get(toolkit),
    *fill(toolkits) {
      if (toolkits.length > maxToolkits) throw tooMany();
      for (const [number, built] of toolkits.entries()) {
        changes.arrive(number, built);
        yield undefined;
      }
      yield* names.fill(function* () {
        for (const [number, shard] of toolkits.entries()) yield { ...shard.names(), first: findPlace(number, 0) };
      });
      yield* postings.merge();
    },
    *settle(share) {
      yield* nearWords.extend();
      const loose = postings.loose();
      const isMuch = loose.tools > Math.max(fewTools, share * changes.count());
      if (isMuch || loose.toolkits > Math.max(manyToolkits, share * byToolkit.size)) yield* postings.merge();
    },
    board: postings.board,
  };
}

interface Parts extends Pick<CatalogueState, 'vocabulary' | 'apps' | 'names'> {
  readonly shards: (Shard | undefined)[];
  readonly postings: ToolkitPostings;
  readonly byToolkit: Map<string, number>;
}

/** Adds and removes toolkits. */
function createChanges({ shards, postings, vocabulary, apps, names, byToolkit }: Parts) {
  const free: number[] = [];
  const gone: { readonly number: number; readonly shard: Shard }[] = [];
  let size = 0;
  const depart = (number: number, shard: Shard) => {
    vocabulary.adjust(shard.postings(), -1);
    postings.remove(number, shard);
    apps.remove(number, shard.toolkit, shard.title);
    shards[number] = undefined;
    byToolkit.delete(shard.toolkit);
    size -= shard.size;
  };
  const leave = (toolkit: string) => {
    const number = byToolkit.get(toolkit) ?? -1;
    const shard = shards[number];
    if (shard === undefined) return false;
    depart(number, shard);
    gone.push({ number, shard });
    return true;
  };
  const arrive = (number: number, shard: Shard) => {
    shards[number] = shard;
    byToolkit.set(shard.toolkit, number);
    apps.add(number, shard.toolkit, shard.title);
    vocabulary.adjust(shard.postings(), 1);
    postings.add(number, shard);
    size += shard.size;
  };
  const clear = function* (): Generator<undefined, void> {
    for (let one = gone.pop(); one !== undefined; one = gone.pop()) {
      yield* names.remove(one.shard.names(), findPlace(one.number, 0));
      free.push(one.number);
    }
  };
  const enter = function* (built: Shard): Generator<undefined, void> {
    yield* clear();
    const before = byToolkit.get(built.toolkit) ?? -1;
    const earlier = shards[before];
    if (earlier !== undefined && areSame(earlier.facts().texts, built.facts().texts)) {
      depart(before, earlier);
      arrive(before, built);
      return;
    }
    const number = free.pop() ?? shards.length;
    if (number > maxToolkits) throw tooMany();
    // Reserved for this toolkit while its names are entered.
    if (number === shards.length) shards.push(undefined);
    yield* names.add(built.names(), findPlace(number, 0));
    leave(built.toolkit);
    arrive(number, built);
    yield* clear();
  };
  const toolkits = () => shards.filter((shard) => shard !== undefined);
  return { leave, arrive, clear, enter, toolkits, count: () => size };
}

/** The id of the tool at a place; empty if there is none. */
export function getId({ shards }: CatalogueState, place: number): string {
  const shard = shards[getShard(place)];
  return shard === undefined ? '' : idIn(shard, toTool(place));
}

function tooMany(): HelveError {
  return new HelveError('invalid_input', `The index already has ${maxToolkits} toolkits, the maximum`, {
    hint: 'Remove a toolkit before you add another.',
  });
}
