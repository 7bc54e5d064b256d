/** Figures of groups of calls: outcomes, durations, characters. */
import type { CallFigures } from '../../domain/calls.js';
import type { CallColumns } from './columns.js';

interface Group {
  calls: number;
  ok: number;
  failed: number;
  refused: number;
  interrupted: number;
  characters: number;
  kept: number;
  readonly durations: number[];
}

/** `Key`: what a group is named by; numbers are found faster than texts. */
export interface FigureGroups<Key extends string | number> {
  /** Adds the calls at these places to the group that `getKey` names. */
  add(block: CallColumns, places: readonly number[], getKey: (at: number) => Key): void;
  total(): CallFigures;
  /** In the order in which they were first seen. */
  groups(): readonly (CallFigures & { readonly key: Key })[];
}

export function createFigureGroups<Key extends string | number>(): FigureGroups<Key> {
  const groups = new Map<Key, Group>();
  return {
    add(block, places, getKey) {
      for (const at of places) {
        const key = getKey(at);
        let group = groups.get(key);
        if (group === undefined) {
          group = createGroup();
          groups.set(key, group);
        }
        addCall(group, block, at);
      }
    },
    total() {
      const total = createGroup();
      for (const group of groups.values()) addGroup(total, group);
      return describe(total);
    },
    groups: () => [...groups].map(([key, group]) => ({ key, ...describe(group) })),
  };
}

const createGroup = (): Group => ({
  calls: 0,
  ok: 0,
  failed: 0,
  refused: 0,
  interrupted: 0,
  characters: 0,
  kept: 0,
  durations: [],
});

function addCall(group: Group, block: CallColumns, at: number): void {
  const status = block.status.values[block.status.codes[at] ?? -1];
  group.calls += 1;
  if (status === 'ok' || status === 'failed' || status === 'refused' || status === 'interrupted') group[status] += 1;
  group.characters += block.characters[at] ?? 0;
  group.kept += block.kept[at] ?? 0;
  const duration = block.durationMs[at] ?? -1;
  if (duration >= 0) group.durations.push(duration);
}

function addGroup(total: Group, { durations, ...counts }: Group): void {
  for (const [name, count] of Object.entries(counts)) total[name as keyof typeof counts] += count;
  for (const duration of durations) total.durations.push(duration);
}

function describe({ durations, ...figures }: Group): CallFigures {
  if (durations.length === 0) return figures;
  const sorted = Float64Array.from(durations).sort();
  // The nearest rank, so that it is the duration of a real call.
  const rank = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
  return { ...figures, p50: rank(0.5), p95: rank(0.95), p99: rank(0.99) };
}
