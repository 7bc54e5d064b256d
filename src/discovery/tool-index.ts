/**
 * The tool index: takes tools, and returns the best few for a request. Everything is in memory and in this process.
 *
 * Building, adding, saving and loading work in slices of a few milliseconds; a search is one short synchronous step.
 */

import { createSlices } from '../util/slices.js';
import { createCatalogueState } from './catalogue-state.js';
import { groupByToolkit } from './group-by-toolkit.js';
import { buildShard } from './postings/build-shard.js';
import { loadRanker, type Ranker } from './rank/ranker.js';
import { findNamedToolkits } from './search.js';
import { listSearched, searchCatalogue } from './search-acts.js';
import { loadState, saveState } from './snapshot.js';
import type { DiscoveredTool, SearchOptions, SearchResult } from './tool.js';

export interface ToolIndexOptions {
  /** The learned order to use instead of the shipped one. */
  readonly ranker?: Ranker | undefined;
}

export interface ToolIndex {
  /** Number of tools. */
  readonly size: number;
  /** Returns the best tools for a request, best first. Never throws, for any text. */
  search(query: string, options?: SearchOptions): SearchResult;
  /** The texts that such a search compares with tools: the query and, if it has several acts, each of them. */
  textsOf(query: string, options?: SearchOptions): readonly string[];
  /** The toolkits that a text names as apps, of those that pass the test. */
  named(text: string, isMeant: (toolkit: string) => boolean): readonly string[];
  /**
   * Adds all tools of one or several toolkits, replacing the previous tools of these toolkits. Searches see the old
   * toolkit until the new one is complete. Throws `invalid_input` for an id that occurs twice, or a toolkit of more
   * than 65,535 tools.
   */
  add(tools: readonly DiscoveredTool[]): Promise<void>;
  /** Removes a toolkit; false if it is not in the index. */
  remove(toolkit: string): boolean;
  /** The whole index as bytes. */
  save(): Promise<Uint8Array>;
  /**
   * Replaces the whole content by what was saved. The bytes belong to the index from then on: it reads them in place,
   * so they must not be changed. Throws `invalid_input`, and changes nothing, if they cannot be read.
   */
  load(snapshot: Uint8Array): Promise<void>;
}

/** Milliseconds that a change may block the event loop at a time. */
const sliceMs = 3;
/**
 * Shares of changed tools from which their postings are merged with the others: a higher share while many are being
 * added.
 */
const shareWhileAdding = 0.5;
const shareAfter = 0.12;

/** Builds an index of these tools. To load a saved one, use `createToolIndex([])` and then `load()`. */
export async function createToolIndex(
  tools: readonly DiscoveredTool[],
  options: ToolIndexOptions = {},
): Promise<ToolIndex> {
  const ranker = options.ranker ?? (await loadRanker());
  let state = createCatalogueState();
  let last: Promise<unknown> = Promise.resolve();
  // Changes wait for each other, so that the last requested one remains.
  const inTurn = <Value>(change: () => Promise<Value>): Promise<Value> => {
    const mine = last.then(change);
    last = mine.catch(() => undefined);
    return mine;
  };
  const add = async (added: readonly DiscoveredTool[]) => {
    const slices = createSlices(sliceMs);
    for (const group of await slices.run(groupByToolkit(added.slice()))) {
      const earlier = state.shards[state.numberOf(group[0]?.toolkit ?? '') ?? -1];
      const built = await slices.run(buildShard(group, state.vocabulary, ranker.vectors, earlier));
      await slices.run(state.enter(built));
      await slices.run(state.settle(shareWhileAdding));
    }
    await slices.run(state.settle(shareAfter));
  };
  await add(tools);
  return {
    get size() {
      return state.size;
    },
    search: (query, searchOptions = {}) => searchCatalogue(state, query, { options: searchOptions, ranker }),
    textsOf: (query, searchOptions = {}) => listSearched(state, query, { options: searchOptions, ranker }),
    named: (text, isMeant) => findNamedToolkits(state, text, { vectors: ranker.vectors, isMeant }),
    add: (added) => inTurn(() => add(added)),
    remove(toolkit) {
      const wasThere = state.leave(toolkit);
      if (wasThere) void inTurn(() => createSlices(sliceMs).run(state.clear()));
      return wasThere;
    },
    save: () => inTurn(() => saveState(state, createSlices(sliceMs))),
    load: (snapshot) =>
      inTurn(async () => {
        state = await loadState(snapshot, ranker.vectors?.dimensions ?? 0, createSlices(sliceMs));
      }),
  };
}
