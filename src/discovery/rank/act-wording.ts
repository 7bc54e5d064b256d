/**
 * Which act a text asks for by its wording, also where it has no verb of it: `she paid 180 in cash` notes a payment, `has
 * Ida signed?` reads a document. Learned from written requests and what the names of their tools do. It only moves
 * candidates in the order; it decides nothing about a call.
 */
import { agreement } from '../text/verbs.js';
import { verbClasses } from '../text/vocabulary-data.js';

export interface ActWeights {
  /** Log-odds of each verb class; the last number is that of names without a verb. */
  readonly bias: readonly number[];
  /** What a mark of a text adds to them, as pairs of the number of a class and ten times what is added. */
  readonly marks: Readonly<Record<string, readonly number[]>>;
  /** What each of `actFacts` adds to the score of a candidate. */
  readonly facts: readonly number[];
}

/** What a candidate does, as verb classes (0: its name has no verb), and the number of its toolkit. */
export interface ActCandidate {
  readonly action: number;
  readonly toolkit: number;
}

/** What is known of a candidate's act: how much likelier the wording makes it, and how far it is behind the likeliest of its toolkit. */
export const actFacts = ['gain', 'behind'] as const;
export const actClasses = verbClasses.length + 1;
const noAct = 1 << verbClasses.length;
const weightUnit = 0.1;
/** Maximum words of a text that are looked at. */
const maxWords = 40;

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
  return (said: readonly string[], candidates: readonly ActCandidate[]): Float32Array => {
    const odds = sumOdds(bias, weights, said);
    const most = Math.max(...odds);
    const likely = spread(odds.map((one) => 1 / (1 + most - one)));
    const gains = odds.map((one, at) => squeeze((one - (bias[at] ?? 0)) / 2));
    const own = candidates.map(({ action }) => bestOf(likely, action));
    const bests = new Map<number, number>();
    for (const [at, { toolkit }] of candidates.entries())
      bests.set(toolkit, Math.max(bests.get(toolkit) ?? 0, own[at] ?? 0));
    const facts = candidates.map(({ action, toolkit }, at) => [
      bestOf(gains, action),
      (own[at] ?? 0) - (bests.get(toolkit) ?? 0),
    ]);
    return Float32Array.from(facts.flat());
  };
}

/** Returns a function from the stems of a text, in order, to what its wording adds to the score of each candidate. */
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

function sumOdds(bias: readonly number[], weights: ReadonlyMap<string, readonly number[]>, said: readonly string[]) {
  const odds = Float64Array.from(bias);
  for (const mark of listActMarks(said)) {
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

/** Of each class, the greatest value of any class, multiplied by how well that one agrees with it. */
function spread(values: Float64Array): Float64Array {
  const target = Float64Array.from(values);
  for (const from of verbClasses.keys())
    for (const to of verbClasses.keys())
      target[to] = Math.max(target[to] ?? 0, (values[from] ?? 0) * agreement(1 << from, 1 << to));
  return target;
}

const squeeze = (value: number) => value / (1 + Math.abs(value));
