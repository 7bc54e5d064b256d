/** Choosing, counting and measuring calls over columns. */
import type { CallColumns, Column, Field } from './columns.js';

export interface CallCondition {
  /** Only calls with these values. */
  readonly fields: Readonly<Partial<Record<Field, string>>>;
  /** Milliseconds since 1970, inclusive. */
  readonly since?: number;
  readonly until?: number;
  readonly minDurationMs?: number;
  /** Only these rows. */
  readonly seqs?: ReadonlySet<number>;
  /** Only calls by this principal for this person, or with one of these accounts. `onBehalfOf`: empty if it acts for nobody else. */
  readonly visible?: {
    readonly actor: string;
    readonly onBehalfOf: string;
    readonly connections: ReadonlySet<string>;
  };
}

type Test = (at: number) => boolean;

/**
 * Whether a call, given by its place in the block, meets the conditions besides those on its fields. `all`: each call of the
 * block does; `none`: no call does.
 */
function createTest(block: CallColumns, condition: CallCondition): Test | 'all' | 'none' {
  const { since = -1, until = Number.POSITIVE_INFINITY, minDurationMs = -1, seqs, visible } = condition;
  if (block.lastEndedAt < since || block.firstEndedAt > until) return 'none';
  const isWithin = block.firstEndedAt >= since && block.lastEndedAt <= until;
  if (isWithin && minDurationMs <= -1 && !seqs && !visible) return 'all';
  const isVisible = visible && createVisibility(block, visible);
  const { endedAt, durationMs, seq } = block;
  return (at) => {
    const end = endedAt[at] ?? 0;
    if (end < since || end > until || (durationMs[at] ?? -1) < minDurationMs) return false;
    return (isVisible?.(at) ?? true) && (seqs?.has(seq[at] ?? 0) ?? true);
  };
}

function createVisibility(
  { actor, onBehalfOf, connection }: CallColumns,
  visible: NonNullable<CallCondition['visible']>,
): (at: number) => boolean {
  const own = actor.places.get(visible.actor);
  const person = onBehalfOf.places.get(visible.onBehalfOf);
  const theirs = new Set([...visible.connections].flatMap((id) => connection.places.get(id) ?? []));
  return (at) => (actor.codes[at] === own && onBehalfOf.codes[at] === person) || theirs.has(connection.codes[at] ?? -1);
}

interface Wanted {
  readonly field: Field;
  readonly codes: Uint32Array;
  /** Undefined if no call of the block has the value. */
  readonly code: number | undefined;
}

function findWanted(block: CallColumns, { fields }: CallCondition): readonly Wanted[] {
  return Object.entries(fields).map(([name, value]) => {
    const field = name as Field;
    const { places, codes } = block[field];
    return { field, codes, code: places.get(value) };
  });
}

/** The places of the calls that meet the condition, oldest first. */
export function selectCalls(block: CallColumns, condition: CallCondition): number[] {
  const test = createTest(block, condition);
  const [first, ...others] = findWanted(block, condition);
  if (test === 'none' || [first, ...others].some((one) => one && one.code === undefined)) return [];
  const places: number[] = [];
  for (let at = 0; at < block.length; at += 1) {
    if (first && first.codes[at] !== first.code) continue;
    if (others.every(({ codes, code }) => codes[at] === code) && (test === 'all' || test(at))) places.push(at);
  }
  return places;
}

/** Numbers of calls, by field and value. A call that only the condition on one field excludes is counted in that field. */
export interface FacetCounts {
  add(block: CallColumns): void;
  copy(): FacetCounts;
  total(): number;
  /** The newest known name of a principal in a block that was added. */
  findName(id: string): string | undefined;
  /** The values that a call has, with their numbers. */
  counts(field: Field): ReadonlyMap<string, number>;
}

/** By field, and by its list of values: how often each of them occurs. Blocks that share their lists share the numbers. */
type Sums = ReadonlyMap<Field, Map<readonly string[], number[]>>;

interface Counted {
  readonly sums: Sums;
  readonly total: number;
  readonly names: readonly ReadonlyMap<string, string>[];
}

export function createFacetCounts(counted: readonly Field[], condition: CallCondition): FacetCounts {
  return countsOver(condition, { sums: new Map(counted.map((field) => [field, new Map()])), total: 0, names: [] });
}

function countsOver(condition: CallCondition, { sums, total: before, names }: Counted): FacetCounts {
  let total = before;
  const allNames = new Set(names);
  return {
    add(block) {
      allNames.add(block.names);
      const verdicts = judge(block, condition);
      if (verdicts === undefined) return;
      const { misses, wanted } = verdicts;
      for (const miss of misses) if (miss === met) total += 1;
      for (const [field, byValues] of sums)
        addColumn(block[field], { byValues, misses, only: wanted.findIndex((one) => one.field === field) });
    },
    copy: () => countsOver(condition, { sums: copySums(sums), total, names: [...allNames] }),
    total: () => total,
    findName: (id) => [...allNames].find((some) => some.has(id))?.get(id),
    counts(field) {
      const counts = new Map<string, number>();
      for (const [values, numbers] of sums.get(field) ?? [])
        for (const [code, count] of numbers.entries()) {
          const value = values[code] ?? '';
          if (count > 0 && value !== '') counts.set(value, (counts.get(value) ?? 0) + count);
        }
      return counts;
    },
  };
}

function copySums(sums: Sums): Sums {
  const copied = [...sums].map(([field, byValues]) => {
    const numbers = [...byValues].map(([values, each]) => [values, each.slice()] as const);
    return [field, new Map(numbers)] as const;
  });
  return new Map(copied);
}

const met = -1;
const excluded = -2;

/** For each call: `met`, `excluded`, or which one of the conditions on fields it misses while it meets all others. */
function judge(block: CallColumns, condition: CallCondition) {
  const test = createTest(block, condition);
  if (test === 'none') return undefined;
  const wanted = findWanted(block, condition);
  const misses = new Int8Array(block.length).fill(met);
  if (test !== 'all') for (let at = 0; at < block.length; at += 1) if (!test(at)) misses[at] = excluded;
  for (const [index, { codes, code }] of wanted.entries())
    for (let at = 0; at < block.length; at += 1)
      if (codes[at] !== code) misses[at] = misses[at] === met ? index : excluded;
  return { misses, wanted };
}

interface ColumnSums {
  readonly byValues: Map<readonly string[], number[]>;
  readonly misses: Int8Array;
  /** Which condition is on this field; -1 if none is, which is the same as `met`. */
  readonly only: number;
}

function addColumn({ values, codes }: Column, { byValues, misses, only }: ColumnSums): void {
  const numbers = byValues.get(values) ?? [];
  byValues.set(values, numbers);
  while (numbers.length < values.length) numbers.push(0);
  for (let at = 0; at < codes.length; at += 1) {
    const miss = misses[at];
    if (miss !== met && miss !== only) continue;
    const code = codes[at] ?? 0;
    numbers[code] = (numbers[code] ?? 0) + 1;
  }
}
