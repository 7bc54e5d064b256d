/**
 * Sums over many calls. The sum over finished blocks never changes, so each is kept for the next request with the same
 * condition, which adds only what has been recorded since.
 */
import { createRecent } from '../../util/recent.js';
import { createSlices } from '../../util/slices.js';
import type { CallIndex } from './call-index.js';
import type { CallColumns } from './columns.js';
import { type CallCondition, selectCalls } from './select.js';

/** A sum over those calls that its condition chooses. */
export interface CallSum<Self> {
  add(block: CallColumns): void;
  copy(): Self;
}

interface Kept<Sum> {
  readonly sum: Sum;
  /** It is over the finished blocks below this one. */
  readonly blocks: number;
}

/** Sums over finished blocks that are kept in memory, each at most a few hundred kB. */
const maxKept = 32;
const turnMs = 5;

/**
 * Returns a function that reads the sum over all ended calls of a workspace, as they are now, into a copy for the caller. `create`
 * makes an empty sum for a condition.
 */
export function createCallSums<Sum extends CallSum<Sum>>(
  index: Pick<CallIndex, 'read'>,
  create: (condition: CallCondition) => Sum,
): (workspaceId: string, condition: CallCondition) => Promise<Sum> {
  const kept = createRecent<Kept<Sum>>(maxKept);

  return async (workspaceId, condition) => {
    // Which rows have a text changes with the record, so such a sum is not kept.
    const key = condition.seqs === undefined ? `${workspaceId} ${describe(condition)}` : undefined;
    const { finished, tail, load } = await index.read(workspaceId);
    const known = key === undefined ? undefined : kept.get(key);
    const { sum: before, blocks } = known && known.blocks <= finished ? known : { sum: create(condition), blocks: 0 };
    const sum = before.copy();
    const slices = createSlices(turnMs);
    for (let block = finished - 1; block >= blocks; block -= 1) {
      const loaded = load(block);
      sum.add(loaded instanceof Promise ? await loaded : loaded);
      await slices.rest();
    }
    if (key !== undefined) kept.set(key, { sum, blocks: finished });
    const whole = sum.copy();
    whole.add(tail);
    return whole;
  };
}

function describe({ fields, visible, seqs: _, ...others }: CallCondition): string {
  const seen = visible && [visible.actor, visible.onBehalfOf, [...visible.connections].sort()];
  return JSON.stringify([Object.entries(fields).sort(), seen, Object.entries(others).sort()]);
}

/** How often each principal called, and when the last of these calls ended, in milliseconds since 1970. */
export interface CallerCounts extends CallSum<CallerCounts> {
  find(id: string): { readonly calls: number; readonly lastAt: number } | undefined;
  total(): { readonly calls: number; readonly lastAt: number };
}

interface Callers {
  readonly calls: number[];
  readonly lastAt: number[];
}

export function createCallerCounts(condition: CallCondition): CallerCounts {
  return countersOver(condition, new Map());
}

/** `counted`: by the list of values that blocks share, for each of its places. */
function countersOver(condition: CallCondition, counted: Map<ReadonlyMap<string, number>, Callers>): CallerCounts {
  function sum(all: readonly { readonly calls: number; readonly lastAt: number }[]) {
    return {
      calls: all.reduce((total, { calls }) => total + calls, 0),
      lastAt: all.reduce((last, { lastAt }) => Math.max(last, lastAt), 0),
    };
  }
  return {
    add(block) {
      const { places, codes } = block.actor;
      const callers = counted.get(places) ?? { calls: [], lastAt: [] };
      counted.set(places, callers);
      for (let more = callers.calls.length; more < places.size; more += 1) {
        callers.calls.push(0);
        callers.lastAt.push(0);
      }
      for (const at of selectCalls(block, condition)) {
        const code = codes[at] ?? 0;
        callers.calls[code] = (callers.calls[code] ?? 0) + 1;
        callers.lastAt[code] = Math.max(callers.lastAt[code] ?? 0, block.endedAt[at] ?? 0);
      }
    },
    copy: () =>
      countersOver(
        condition,
        new Map(
          [...counted].map(([places, { calls, lastAt }]) => [places, { calls: calls.slice(), lastAt: lastAt.slice() }]),
        ),
      ),
    find(id) {
      const found = [...counted].flatMap(([places, { calls, lastAt }]) => {
        const code = places.get(id);
        const count = code === undefined ? 0 : (calls[code] ?? 0);
        return code === undefined || count === 0 ? [] : [{ calls: count, lastAt: lastAt[code] ?? 0 }];
      });
      return found.length === 0 ? undefined : sum(found);
    },
    total: () =>
      sum(
        [...counted.values()].flatMap(({ calls, lastAt }) =>
          calls.map((count, code) => ({ calls: count, lastAt: lastAt[code] ?? 0 })),
        ),
      ),
  };
}
