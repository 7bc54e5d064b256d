/**
 * Which act a text asks for by its wording, even if it has no verb for it: `she paid 180 in cash` notes a payment, `has
 * Ida signed?` reads a document. Learned from written requests and from what the names of their tools do. It
 * changes the order of candidates and which of them are offered; it decides nothing about a call.
 */
import { agreement } from '../text/verbs.js';
import { verbClasses } from '../text/vocabulary-data.js';

export interface ActWeights {
  /** Log-odds of each verb class; the last number is that of names without a verb. */
  readonly bias: readonly number[];
  /** What a mark of a text adds to them, as pairs of the number of a class and ten times the addition. */
  readonly marks: Readonly<Record<string, readonly number[]>>;
  /** What each of `actFacts` adds to the score of a candidate. */
  readonly facts: readonly number[];
}

/** What a candidate does, as verb classes (0: its name has no verb), and the number of its toolkit. */
export interface ActCandidate {
  readonly action: number;
  readonly toolkit: number;
}

/**
 * What is known about a candidate's act: how much more likely the wording makes it, and how far it is behind the most
 * likely act of its toolkit.
 */
export const actFacts = ['gain', 'behind'] as const;
/** The reason of a hit whose act the wording speaks for, although the verb of the request is another. */
export const wordedAct = 'act by wording';
export const actClasses = verbClasses.length + 1;
const noAct = 1 << verbClasses.length;
const weightUnit = 0.1;
/** Maximum number of words of a text that are used. */
export const maxWords = 40;

/** The marks of a text, each once, by its stems in order: words, pairs of words, and how it begins. */
export function listActMarks(said: readonly string[]): string[] {
  const words = said.slice(0, maxWords);
  const pairs = words.slice(1).map((word, at) => `${words[at]} ${word}`);
  const begins = [1, 2].map((count) => `^${words.slice(0, count).join(' ')}`);
  return [...new Set([...words, ...pairs, ...begins])];
}

/** Returns a function that gives `actFacts.length` numbers for each candidate, by the stems of a text in order. */
export function createActReader({ bias, marks }: Pick<ActWeights, 'bias' | 'marks'>) {
  const weights = new Map(Object.entries(marks));
  const near = listNear();
  return (said: readonly string[], candidates: readonly ActCandidate[]): Float32Array => {
    const odds = sumOdds(bias, weights, listActMarks(said));
    const most = Math.max(...odds);
    const likely = odds.map((one) => 1 / (1 + most - one));
    spread(likely, near);
    const gains = odds.map((one, at) => squeeze((one - (bias[at] ?? 0)) / 2));
    const own = candidates.map(({ action }) => bestOf(likely, action));
    const bests = new Map<number, number>();
    for (const [at, { toolkit }] of candidates.entries())
      bests.set(toolkit, Math.max(bests.get(toolkit) ?? 0, own[at] ?? 0));
    const facts = new Float32Array(candidates.length * actFacts.length);
    for (const [at, { action, toolkit }] of candidates.entries()) {
      facts[at * actFacts.length] = bestOf(gains, action);
      facts[at * actFacts.length + 1] = (own[at] ?? 0) - (bests.get(toolkit) ?? 0);
    }
    return facts;
  };
}

/** Returns a function from the stems of a text, in order, to the addition to the score of each candidate. */
export function createActBonus(weights: ActWeights) {
  const read = createActReader(weights);
  const width = actFacts.length;
  return (said: readonly string[], candidates: readonly ActCandidate[]): readonly number[] => {
    const facts = read(said, candidates);
    return candidates.map((_, at) =>
      weights.facts.reduce((sum, weight, one) => sum + weight * (facts[at * width + one] ?? 0), 0),
    );
  };
}

/** The log-odds of each class: `bias`, and what the known marks add to it. */
export function sumOdds(
  bias: readonly number[],
  weights: ReadonlyMap<string, readonly number[]>,
  marks: readonly string[],
): Float64Array {
  const odds = Float64Array.from(bias);
  for (const mark of marks) {
    const own = weights.get(mark) ?? [];
    for (let at = 0; at + 1 < own.length; at += 2) {
      const one = own[at] ?? 0;
      odds[one] = (odds[one] ?? 0) + weightUnit * (own[at + 1] ?? 0);
    }
  }
  return odds;
}

/** The greatest value of the classes of a mask, where 0 stands for a name without a verb. */
function bestOf(values: Float64Array, mask: number): number {
  let most = -1;
  for (let left = mask || noAct; left !== 0; left &= left - 1)
    most = Math.max(most, values[31 - Math.clz32(left & -left)] ?? -1);
  return most;
}

/** Pairs of classes whose verbs are used for each other, with the share that one passes to the other. */
function listNear() {
  const all = [...verbClasses.keys()];
  return all
    .flatMap((from) => all.map((to) => ({ from, to, share: from === to ? 0 : agreement(1 << from, 1 << to) })))
    .filter(({ share }) => share > 0);
}

/** Raises each class to its share of the evidence for a related class. */
function spread(values: Float64Array, near: ReturnType<typeof listNear>): void {
  const before = values.slice();
  for (const { from, to, share } of near) values[to] = Math.max(values[to] ?? 0, (before[from] ?? 0) * share);
}

const squeeze = (value: number) => value / (1 + Math.abs(value));
