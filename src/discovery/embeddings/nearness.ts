/** Compares a text with tools by their vectors: how far each stands out, and the nearest. */
import type { Likeness } from '../tool.js';
import type { UnitVector } from './unit-vector.js';
import type { VectorTable } from './vector-table.js';

/** A tool that may be used, and the key of its text. */
export interface KeyedTool {
  readonly id: string;
  readonly toolkit: string;
  readonly key: string;
}

const maxNearest = 40;
const toolsAStep = 256;
/** Cosines of few tools, or of very similar tools, say little. */
const leastDeviation = 0.02;
/** The maximum number of standard deviations that count. */
const mostDeviations = 6;

/** What a vector is compared with. */
export interface Compared<Tool extends KeyedTool> {
  readonly table: VectorTable;
  readonly tools: readonly Tool[];
  /** The tool with this id among these. */
  find(id: string): Tool | undefined;
  /** What one standard deviation adds to the ranker's score. */
  readonly weight: number;
}

/** Compares some tools per step. Tools without a vector are left out. */
export function* compare<Tool extends KeyedTool>(
  vector: UnitVector,
  { table, tools, find, weight }: Compared<Tool>,
): Generator<undefined, Likeness> {
  const best: { readonly tool: KeyedTool; readonly cosine: number }[] = [];
  let least = Number.NEGATIVE_INFINITY;
  let [count, sum, squares] = [0, 0, 0];
  for (const [at, tool] of tools.entries()) {
    if (at % toolsAStep === toolsAStep - 1) yield undefined;
    const row = table.row(tool.key);
    if (row < 0) continue;
    const cosine = table.cosine(vector, row);
    count += 1;
    sum += cosine;
    squares += cosine * cosine;
    if (cosine <= least) continue;
    best.push({ tool, cosine });
    if (best.length >= 2 * maxNearest) least = keepBest(best);
  }
  keepBest(best);
  const mean = sum / Math.max(1, count);
  const deviation = Math.sqrt(Math.max(0, squares / Math.max(1, count) - mean * mean));
  const unit = Math.max(leastDeviation, deviation);
  return {
    bonus(id) {
      const row = table.row(find(id)?.key ?? '');
      const deviations = row < 0 ? 0 : (table.cosine(vector, row) - mean) / unit;
      return weight * Math.max(0, Math.min(mostDeviations, deviations));
    },
    nearest: best.map(({ tool: { id, toolkit } }) => ({ id, toolkit })),
  };
}

/** Keeps the best, best first; returns the cosine that a better one must exceed. */
function keepBest(best: { readonly cosine: number }[]): number {
  best.sort((one, other) => other.cosine - one.cosine);
  best.length = Math.min(best.length, maxNearest);
  return best.length < maxNearest ? Number.NEGATIVE_INFINITY : (best.at(-1)?.cosine ?? 0);
}
