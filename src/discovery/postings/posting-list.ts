/**
 * Collects the postings of one toolkit tool by tool, and packs them by term at the end: in flat arrays, since nested
 * lists for a hundred thousand tools burden the garbage collector more than everything else.
 */

/** Terms in ascending order; the postings of `terms[i]` are at `starts[i]` up to `starts[i + 1]`, by ascending tool. */
export interface PackedPostings {
  readonly terms: Uint32Array;
  readonly starts: Uint32Array;
  readonly tools: Uint16Array;
  readonly weights: Uint8Array;
}

export interface PostingList {
  /** Adds the terms of a tool; tools must come in ascending order. A term that occurs several times gets the sum. */
  add(tool: number, terms: readonly number[], shares: readonly number[]): void;
  /** Adds a previously packed posting; each term of a tool once. */
  put(tool: number, term: number, weight: number): void;
  /** Packs everything, in steps. The list is empty afterwards. */
  pack(): Generator<undefined, PackedPostings>;
}

/** A weight of 1 as stored in a byte. */
export const weightUnit = 24;

/**
 * Buffers of a list, reused by the next one: short-lived memory outside the heap makes the collector scan the whole
 * heap twice as often.
 */
interface Tables {
  /** By term: its weight in the present tool, and how many tools have it. All zero between uses. */
  sums: Float64Array;
  counts: Uint32Array;
  /** The first postings; further ones are written elsewhere. */
  readonly terms: Uint32Array;
  readonly tools: Uint16Array;
  readonly weights: Uint8Array;
}

const free: Tables[] = [];
const firstTerms = 4_096;
const firstPostings = 65_536;

const createTables = (): Tables => ({
  sums: new Float64Array(firstTerms),
  counts: new Uint32Array(firstTerms),
  terms: new Uint32Array(firstPostings),
  tools: new Uint16Array(firstPostings),
  weights: new Uint8Array(firstPostings),
});
const termsAStep = 512;
const postingsAStep = 4_096;

export function createPostingList(): PostingList {
  const tables = free.pop() ?? createTables();
  const distinct: number[] = [];
  const touched: number[] = [];
  let { terms, tools, weights } = tables;
  let count = 0;
  const put = (tool: number, term: number, weight: number) => {
    if (term >= tables.counts.length) grow(tables, term + 1);
    if (count === terms.length) {
      terms = doubled(terms, new Uint32Array(count * 2));
      tools = doubled(tools, new Uint16Array(count * 2));
      weights = doubled(weights, new Uint8Array(count * 2));
    }
    if (tables.counts[term] === 0) distinct.push(term);
    tables.counts[term] = (tables.counts[term] as number) + 1;
    terms[count] = term;
    tools[count] = tool;
    weights[count++] = weight;
  };
  return {
    put,
    add(tool, own, shares) {
      for (const [at, term] of own.entries()) {
        if (term >= tables.sums.length) grow(tables, term + 1);
        if (tables.sums[term] === 0) touched.push(term);
        tables.sums[term] = (tables.sums[term] as number) + (shares[at] ?? 0);
      }
      for (const term of touched) {
        const sum = tables.sums[term] as number;
        tables.sums[term] = 0;
        put(tool, term, Math.max(1, Math.min(255, Math.round(sum * weightUnit))));
      }
      touched.length = 0;
    },
    *pack() {
      const packed = yield* packByTerm({ distinct, terms, tools, weights, count }, tables.counts);
      for (const term of distinct) tables.counts[term] = 0;
      distinct.length = 0;
      count = 0;
      free.push(tables);
      return packed;
    },
  };
}

interface Columns extends Omit<PackedPostings, 'starts'> {
  readonly distinct: readonly number[];
  readonly count: number;
}

/** `counts`: how many tools have each term; it is overwritten. */
function* packByTerm(
  { distinct, terms, tools, weights, count }: Columns,
  counts: Uint32Array,
): Generator<undefined, PackedPostings> {
  const sorted = Uint32Array.from(distinct).sort();
  const starts = new Uint32Array(sorted.length + 1);
  for (const [slot, term] of sorted.entries()) {
    starts[slot + 1] = (starts[slot] as number) + (counts[term] as number);
    // From here on, the count of a term is the position of its next posting.
    counts[term] = starts[slot] as number;
    if (slot % termsAStep === termsAStep - 1) yield undefined;
  }
  const packed = { terms: sorted, starts, tools: new Uint16Array(count), weights: new Uint8Array(count) };
  for (let at = 0; at < count; at++) {
    const term = terms[at] as number;
    const to = counts[term] as number;
    counts[term] = to + 1;
    packed.tools[to] = tools[at] as number;
    packed.weights[to] = weights[at] as number;
    if (at % postingsAStep === postingsAStep - 1) yield undefined;
  }
  return packed;
}

function grow(tables: Tables, least: number): void {
  const room = Math.max(least, tables.sums.length * 2);
  tables.sums = doubled(tables.sums, new Float64Array(room));
  tables.counts = doubled(tables.counts, new Uint32Array(room));
}

function doubled<Kind extends Uint8Array | Uint16Array | Uint32Array | Float64Array>(from: Kind, to: Kind): Kind {
  to.set(from);
  return to;
}
