/**
 * Which of the tools that come with Helve a text asks for, by its wording: those that need no account, and those of the apps that it
 * brings along (Gmail, GitHub …). They are the same everywhere, so what people say when they want one can be learned: `is it warm in
 * Bergen?` needs `web_search`, though it shares no word with it. Learned from written requests for them, and from texts that none of
 * them serves.
 */
import type { WordVectors } from '../semantic/word-vectors.js';
import { listActMarks, sumOdds } from './act-wording.js';

export interface BundledWeights {
  /** The tools, as `toolkit/name`, in the order of the classes. One more class means none of them. */
  readonly tools: readonly string[];
  /** For a tool, those that serve the same requests. */
  readonly alike: Readonly<Record<string, readonly string[]>>;
  /** The log-odds of each class. */
  readonly bias: readonly number[];
  /** What a mark of a text adds to them, as pairs of the number of a class and ten times the addition. */
  readonly marks: Readonly<Record<string, readonly number[]>>;
  /** What each number of the mean word vector of a text adds to each class. */
  readonly meaning: readonly (readonly number[])[];
}

/** A text, its stems in order (`Query.said`), and the tools that can be used, as `toolkit/name`. */
export interface BundledQuestion {
  readonly text: string;
  readonly said: readonly string[];
  readonly available: readonly string[];
}

/** Returns how probable it is that a text asks for each of the available tools. */
export type BundledWording = (question: BundledQuestion) => ReadonlyMap<string, number>;

/** An address without a path, which the signs of `signs.ts` do not read. */
const addressShape = /(?<![\w@.-])[a-z\d-]+(?:\.[a-z\d-]+)*\.(?:app|co|com|dev|edu|gov|info|io|net|org)(?![\w-])/i;

/**
 * What a text has, whatever the words are: a channel is `#general`, an item `#12`, a ticket `ENG-42`, a repository `acme/shop`, and
 * things of a service have ids such as `in_1Nk2` or `U07ABCDEF`.
 */
const signs: Readonly<Record<string, RegExp>> = {
  '#number': /\d/,
  '#address': addressShape,
  '#channel': /(?<!\S)#\p{L}/u,
  '#item': /(?<!\S)#\d/,
  '#ticket': /(?<![\w-])[A-Z]{2,8}-\d+(?![\w-])/,
  '#repository': /(?<![\w./-])[a-z][\w-]*\/[a-z][\w.-]*(?![\w/-])/i,
  '#commit': /(?<![\w-])(?=[a-f\d]*\d)(?=\d*[a-f])[a-f\d]{7,40}(?![\w-])/,
  '#member': /(?<![\w-])[UW](?=[A-Z\d]*\d)[A-Z\d]{5,12}(?![\w-])/,
};

/** An id whose beginning says what it is the id of. */
const idShape = /(?<![\w-])([a-z]{2,6})_(?=[A-Za-z\d]*\d)[A-Za-z\d]+(?!\w)/g;

/** The marks of a text, each once. */
export function listBundledMarks(text: string, said: readonly string[]): string[] {
  const own = Object.keys(signs).filter((sign) => signs[sign]?.test(text));
  const ids = [...text.matchAll(idShape)].map(([, kind]) => `#${kind}_`);
  return [...listActMarks(said), ...own, ...new Set(ids)];
}

/** The mean of the vectors of these stems, weighted as in a text; zeros if none of them has one. */
export function meanOfStems(said: readonly string[], vectors: WordVectors): Float64Array {
  const mean = new Float64Array(vectors.dimensions);
  const rows = said.map(vectors.findStem).filter((row) => row >= 0);
  const whole = rows.reduce((sum, row) => sum + vectors.weight(row), 0);
  if (whole > 0) for (const row of rows) vectors.addTo(row, mean, vectors.weight(row) / whole);
  return mean;
}

/** `learned`: weights of different tools, each learned apart from the others, so that their probabilities do not add up to 1. */
export function createBundledWording(learned: readonly BundledWeights[], vectors: WordVectors): BundledWording {
  const parts = learned.map((weights) => ({
    ...weights,
    marks: new Map(Object.entries(weights.marks)),
    meaning: weights.meaning.map((row) => Float64Array.from(row)),
  }));
  return ({ text, said, available }) => {
    const marks = listBundledMarks(text, said);
    const mean = meanOfStems(said, vectors);
    const found = new Map(available.map((tool) => [tool, 0]));
    for (const { tools, alike, ...weights } of parts) {
      const shares = sumOdds(weights.bias, weights.marks, marks);
      for (let at = 0; at < mean.length; at++) addTimes(shares, weights.meaning[at], mean[at]);
      toProbabilities(shares);
      for (const [at, tool] of tools.entries()) {
        // What speaks for a tool that cannot be used speaks for those that serve the same requests.
        const takers = found.has(tool) ? [tool] : (alike[tool] ?? []).filter((other) => found.has(other));
        for (const taker of takers) found.set(taker, (found.get(taker) ?? 0) + (shares[at] ?? 0) / takers.length);
      }
    }
    return found;
  };
}

/** Adds `row` times `factor`. A loop over indexes: iterators take ten times as long, for some 20,000 numbers a search. */
function addTimes(sums: Float64Array, row = new Float64Array(), factor = 0): void {
  for (let one = 0; one < row.length; one++) sums[one] = (sums[one] ?? 0) + (row[one] ?? 0) * factor;
}

/** The names of all tools that were learned, by toolkit. */
export function groupTools(learned: readonly BundledWeights[]): ReadonlyMap<string, ReadonlySet<string>> {
  const groups = new Map<string, Set<string>>();
  for (const id of learned.flatMap(({ tools }) => tools)) {
    const [toolkit = '', name = ''] = id.split('/');
    groups.set(toolkit, (groups.get(toolkit) ?? new Set<string>()).add(name));
  }
  return groups;
}

/** Turns log-odds into probabilities, in place. */
function toProbabilities(odds: Float64Array): void {
  const most = Math.max(...odds);
  const whole = odds.reduce((sum, one) => sum + Math.exp(one - most), 0);
  for (const [at, one] of odds.entries()) odds[at] = Math.exp(one - most) / whole;
}
