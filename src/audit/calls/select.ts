/** Choosing, counting and measuring calls over columns. */
import type { CallColumns, Field } from './columns.js';

export interface CallCondition {
  /** Only calls with these values. */
  readonly fields: Readonly<Partial<Record<Field, string>>>;
  /** Milliseconds since 1970, inclusive. */
  readonly since?: number;
  readonly until?: number;
  readonly minDurationMs?: number;
  /** Only these rows. */
  readonly seqs?: ReadonlySet<number>;
  /** Only calls by this principal, or with one of these accounts. */
  readonly visible?: { readonly actor: string; readonly connections: ReadonlySet<string> };
}

/** Returns whether a call, given by its place in the block, meets the conditions besides those on its fields. */
function createTest(block: CallColumns, condition: CallCondition): (at: number) => boolean {
  const { since = -1, until = Number.POSITIVE_INFINITY, minDurationMs = -1, seqs, visible } = condition;
  const isVisible = visible && createVisibility(block, visible);
  const { endedAt, durationMs, seq } = block;
  return (at) => {
    const end = endedAt[at] ?? 0;
    if (end < since || end > until || (durationMs[at] ?? -1) < minDurationMs) return false;
    return (isVisible?.(at) ?? true) && (seqs?.has(seq[at] ?? 0) ?? true);
  };
}

function createVisibility(
  { actor, connection }: CallColumns,
  visible: NonNullable<CallCondition['visible']>,
): (at: number) => boolean {
  const own = actor.values.indexOf(visible.actor);
  const theirs = connection.values.map((id) => visible.connections.has(id));
  return (at) => actor.codes[at] === own || theirs[connection.codes[at] ?? -1] === true;
}

/** The wanted codes of a block; undefined if it has no call with one of the values. */
function findCodes(block: CallColumns, { fields }: CallCondition): readonly (readonly [Field, number])[] {
  return Object.entries(fields).map(([field, value]) => {
    const name = field as Field;
    return [name, block[name].values.indexOf(value)] as const;
  });
}

/** The places of the calls that meet the condition, oldest first. */
export function selectCalls(block: CallColumns, condition: CallCondition): number[] {
  const codes = findCodes(block, condition);
  if (codes.some(([, code]) => code < 0)) return [];
  const columns = codes.map(([field, code]) => ({ codes: block[field].codes, code }));
  const test = createTest(block, condition);
  const places: number[] = [];
  for (let at = 0; at < block.length; at += 1)
    if (columns.every((column) => column.codes[at] === column.code) && test(at)) places.push(at);
  return places;
}

/** By field and value: the number of calls. */
export interface FacetCounts {
  total: number;
  readonly byField: Readonly<Record<string, Map<string, number>>>;
}

export function createFacetCounts(counted: readonly Field[]): FacetCounts {
  return { total: 0, byField: Object.fromEntries(counted.map((field) => [field, new Map<string, number>()])) };
}

/** Adds the calls of a block. A call that only the condition on one field excludes is counted in that field. */
export function countFacets(counts: FacetCounts, block: CallColumns, condition: CallCondition): void {
  const counted = Object.keys(counts.byField) as Field[];
  const wanted = findCodes(block, condition).map(([field, code]) => ({ field, codes: block[field].codes, code }));
  const found = counted.map((field) => new Array<number>(block[field].values.length).fill(0));
  const columns = counted.map((field) => block[field].codes);
  const test = createTest(block, condition);
  for (let at = 0; at < block.length; at += 1) {
    const missed = wanted.filter(({ codes, code }) => codes[at] !== code);
    if (missed.length > 1 || !test(at)) continue;
    const only = missed[0]?.field;
    if (only === undefined) counts.total += 1;
    for (let index = 0; index < columns.length; index += 1) {
      if (only !== undefined && counted[index] !== only) continue;
      const code = columns[index]?.[at] ?? 0;
      const into = found[index];
      if (into) into[code] = (into[code] ?? 0) + 1;
    }
  }
  counted.forEach((field, index) => {
    const into = counts.byField[field];
    found[index]?.forEach((count, code) => {
      const value = block[field].values[code] ?? '';
      if (count > 0 && value !== '') into?.set(value, (into.get(value) ?? 0) + count);
    });
  });
}
