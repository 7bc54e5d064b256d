/**
 * Scores of tools while a request is scored. The arrays are reused between requests; only touched entries are cleared.
 */

/**
 * Three columns: the tool's number, its score, and the share of the words' own weight that occurs anywhere in its text.
 */
export interface Scored {
  readonly tools: Uint32Array;
  readonly scores: Float32Array;
  readonly covered: Float32Array;
}

export interface Tally {
  /** Tools with a score, in the first `count()` entries. */
  readonly touched: Uint32Array;
  /** 0 for tools without a score. */
  readonly scores: Float32Array;
  count(): number;
  /** Adds a word's contribution to a tool by one of its variants; only the best variant counts. */
  add(tool: number, value: number, word: number, mass: number): void;
  /** Keeps the tools that pass, in their order, and clears the others. */
  keep(passes: (tool: number) => boolean): void;
  /** Sorts the tools in ascending order, if necessary. */
  sort(): void;
  /** Returns the result and clears everything. */
  take(): Scored;
}

export function createTally(total: number): Tally {
  const scores = new Float32Array(total);
  const best = new Float32Array(total);
  const covered = new Float32Array(total);
  const wordOf = new Uint16Array(total);
  const touched = new Uint32Array(total);
  let count = 0;
  let isSorted = false;
  // Tools are valid indexes of the arrays; checking each for `undefined` costs a third of the time.
  const keep = (passes: (tool: number) => boolean) => {
    let kept = 0;
    for (let at = 0; at < count; at++) {
      const tool = touched[at] ?? 0;
      if (passes(tool)) {
        touched[kept++] = tool;
        continue;
      }
      scores[tool] = 0;
      covered[tool] = 0;
      wordOf[tool] = 0;
    }
    count = kept;
  };
  return {
    touched,
    scores,
    count: () => count,
    add(tool, value, word, mass) {
      if (scores[tool] === 0) {
        touched[count++] = tool;
        isSorted = false;
      }
      const isNew = wordOf[tool] !== word;
      const before = isNew ? 0 : (best[tool] as number);
      if (value <= before) return;
      scores[tool] = (scores[tool] as number) + value - before;
      best[tool] = value;
      if (!isNew) return;
      covered[tool] = (covered[tool] as number) + mass;
      wordOf[tool] = word;
    },
    keep,
    sort() {
      if (isSorted) return;
      touched.subarray(0, count).sort();
      isSorted = true;
    },
    take() {
      const tools = touched.slice(0, count);
      const found = { tools, scores: new Float32Array(count), covered: new Float32Array(count) };
      for (let at = 0; at < count; at++) {
        const tool = tools[at] ?? 0;
        found.scores[at] = scores[tool] ?? 0;
        found.covered[at] = covered[tool] ?? 0;
      }
      keep(() => false);
      return found;
    },
  };
}
