/**
 * The tool index: tools in, the best few for a request out. Everything is in memory and in this process.
 *
 * Building, adding, saving and loading work in slices of a few milliseconds; a search is one short synchronous piece.
 */
import { HelveError } from '../spec/errors.js';
import { createCatalogueState } from './catalogue-state.js';
import { buildShard, mostTools } from './postings/shard.js';
import { defaultWeights, type Weights } from './rank/order.js';
import { searchCatalogue } from './search.js';
import { createSlices } from './slices.js';
import { loadState, saveState } from './snapshot.js';
import type { DiscoveredTool, SearchOptions, SearchResult } from './tool.js';

export interface ToolIndexOptions {
  /** Weights of the order, in place of the measured ones. */
  readonly weights?: Partial<Weights> | undefined;
}

export interface ToolIndex {
  /** How many tools it holds. */
  readonly size: number;
  /** The best tools for a request, best first. Never throws for any text. */
  search(query: string, options?: SearchOptions): SearchResult;
  /**
   * Puts in all tools of one or several toolkits, in place of what was there under the same toolkits. Searches see a toolkit
   * as it was until it is whole. Throws `invalid_input` for an id that stands twice, or a toolkit of more than 65,535 tools.
   */
  add(tools: readonly DiscoveredTool[]): Promise<void>;
  /** Takes out a toolkit; false if it is not there. */
  remove(toolkit: string): boolean;
  /** The whole index as bytes. */
  save(): Promise<Uint8Array>;
  /** Puts what was saved in place of all that is here. Throws `invalid_input`, and changes nothing, if it cannot be read. */
  load(snapshot: Uint8Array): Promise<void>;
}

/** Builds an index of these tools. `createToolIndex([])` then `load()` takes a saved one. */
export async function createToolIndex(
  tools: readonly DiscoveredTool[],
  options: ToolIndexOptions = {},
): Promise<ToolIndex> {
  const weights: Weights = { ...defaultWeights, ...options.weights };
  let state = createCatalogueState();
  let last: Promise<unknown> = Promise.resolve();
  // Changes wait for each other, so that the one that was asked for last is the one that stays.
  const inTurn = <Value>(change: () => Promise<Value>): Promise<Value> => {
    const mine = last.then(change);
    last = mine.catch(() => undefined);
    return mine;
  };
  const add = async (added: readonly DiscoveredTool[]) => {
    const slices = createSlices();
    for (const group of groupByToolkit(added)) {
      state.enter(await slices.run(buildShard(group, state.vocabulary)));
      await slices.rest();
    }
  };
  await add(tools);
  return {
    get size() {
      return state.size;
    },
    search: (query, searchOptions = {}) => searchCatalogue(state, query, searchOptions, weights),
    add: (added) => inTurn(() => add(added)),
    remove: (toolkit) => state.leave(toolkit),
    save: () => inTurn(() => saveState(state, createSlices())),
    load: (snapshot) =>
      inTurn(async () => {
        state = await loadState(snapshot, createSlices());
      }),
  };
}

function groupByToolkit(tools: readonly DiscoveredTool[]): DiscoveredTool[][] {
  const groups = new Map<string, DiscoveredTool[]>();
  const seen = new Set<string>();
  for (const tool of tools) {
    if (seen.has(tool.id)) throw refused(`The tool ${tool.id} stands twice in the list`, tool.toolkit);
    seen.add(tool.id);
    const group = groups.get(tool.toolkit);
    if (group === undefined) groups.set(tool.toolkit, [tool]);
    else group.push(tool);
  }
  for (const [toolkit, { length }] of groups)
    if (length > mostTools) throw refused(`The toolkit ${toolkit} has ${length} tools (at most ${mostTools})`, toolkit);
  return [...groups.values()];
}

function refused(message: string, toolkit: string): HelveError {
  return new HelveError('invalid_input', message, {
    hint: 'Give each tool of a toolkit once, under an id of its own.',
    details: { toolkit },
  });
}
