/**
 * The learned order of candidates: a small network over `features.ts`, trained by `npm run train:discovery` on public
 * documentation. Its weights and the word vectors are read once per process, when the first index is created.
 */
import { readFile } from 'node:fs/promises';
import { HelveError } from '../../domain/errors.js';
import { computedOnce } from '../../util/computed-once.js';
import { loadWordVectors, type WordVectors } from '../semantic/word-vectors.js';
import { type ActCandidate, type ActWeights, actClasses, actFacts, createActBonus } from './act-wording.js';
import { type BundledWeights, type BundledWording, createBundledWording, groupTools } from './bundled-wording.js';
import { featureNames } from './features.js';
import { requestFactNames, strata, stratumOf } from './fitness.js';
import { createNameReader, type NameWeights } from './name-wording.js';
import { createWording, type WordingWeights } from './wording.js';

/** One hidden layer: `output = second · relu(first · features + bias) + linear · features`. */
export interface NetworkWeights {
  /** Rows of the hidden layer. */
  readonly first: readonly (readonly number[])[];
  readonly bias: readonly number[];
  readonly second: readonly number[];
  readonly linear: readonly number[];
}

export interface RankerWeights {
  /** The features that the network was trained on. */
  readonly features: readonly string[];
  readonly order: NetworkWeights;
  readonly fitness: NetworkWeights;
  /**
   * How the output of that network becomes a probability, for each kind of request (`stratumOf`): the logistic function
   * of `slope × output + offset`.
   */
  readonly calibration: readonly { readonly slope: number; readonly offset: number }[];
  readonly nothing: number;
  readonly perhaps: number;
  readonly wording: WordingWeights;
  readonly acts: ActWeights;
  readonly names: NameWeights;
}

/** Computes the output for the numbers that start at `start`. */
export type Network = (numbers: Float32Array, start: number) => number;

export interface Ranker {
  readonly vectors: WordVectors | undefined;
  /** The score of a candidate by its features; higher is better, comparable within one search only. */
  readonly score: Network;
  /** How probable it is that the available tools can do what was requested, 0 to 1, by the numbers of `fitness.ts`. */
  probability(numbers: Float32Array): number;
  /** The log-odds that a text is a request for a tool, by its wording alone. */
  wording(text: string): number;
  /** What the stems of a text, in order (`Query.said`), add to the score of each candidate. */
  actBonus(said: readonly string[], candidates: readonly ActCandidate[]): readonly number[];
  /** How much the stems of a text, in order, speak for each of these names, which are stems too. */
  nameOdds(said: readonly string[], names: readonly (readonly string[])[]): readonly number[];
  /** The names of the tools that come with Helve and that `bundled` knows, by toolkit. */
  readonly bundledTools: ReadonlyMap<string, ReadonlySet<string>>;
  readonly bundled: BundledWording;
  /** Below this probability nothing fits. */
  readonly nothing: number;
  /** Below this probability, and not below the other, something perhaps fits. */
  readonly perhaps: number;
}

const shipped = (name: string) => new URL(`../../../weights/${name}`, import.meta.url);

/** Loads the shipped ranker. Throws `internal` if its files are missing or of another version. */
export const loadRanker = computedOnce(async (): Promise<Ranker> => {
  const [vectors, weights, ...bundled] = await Promise.all([
    loadWordVectors(),
    readWeights(),
    readBundledWeights('discovery-bundled.json'),
    readBundledWeights('discovery-integrations.json'),
  ]);
  return createRanker(weights, bundled, vectors);
});

function createRanker(weights: RankerWeights, bundled: readonly BundledWeights[], vectors: WordVectors): Ranker {
  const { order, fitness, calibration, wording, acts, names, nothing, perhaps } = weights;
  const measure = createNetwork(fitness);
  return {
    vectors,
    score: createNetwork(order),
    probability(numbers) {
      const { slope, offset } = calibration[stratumOf(numbers)] ?? { slope: 1, offset: 0 };
      return 1 / (1 + Math.exp(-(slope * measure(numbers, 0) + offset)));
    },
    wording: createWording(wording, vectors),
    actBonus: createActBonus(acts),
    nameOdds: createNameReader(names),
    bundledTools: groupTools(bundled),
    bundled: createBundledWording(bundled, vectors),
    nothing,
    perhaps,
  };
}

function createNetwork(weights: NetworkWeights): Network {
  const width = weights.linear.length;
  // Units without effect pad the last four.
  const rows = weights.first.concat(
    Array.from({ length: -weights.bias.length & 3 }, () => weights.linear.map(() => 0)),
  );
  const first = toDoubles(rows.flat());
  const bias = toDoubles(rows.map((_, unit) => weights.bias[unit] ?? 0));
  const second = toDoubles(rows.map((_, unit) => weights.second[unit] ?? 0));
  const linear = toDoubles(weights.linear);
  const given = new Float64Array(width);
  return (numbers, start) => {
    // All indexes are within the arrays; checking each for `undefined` costs a third of the time.
    let sum = 0;
    for (let at = 0; at < width; at++) {
      given[at] = numbers[start + at] as number;
      sum += (linear[at] as number) * (given[at] as number);
    }
    // Four units at a time: their sums do not wait for each other, which halves the time.
    for (let unit = 0; unit < second.length; unit += 4) {
      let one = bias[unit] as number;
      let two = bias[unit + 1] as number;
      let three = bias[unit + 2] as number;
      let four = bias[unit + 3] as number;
      for (let at = 0, row = unit * width; at < width; at++, row++) {
        const value = given[at] as number;
        one += (first[row] as number) * value;
        two += (first[row + width] as number) * value;
        three += (first[row + 2 * width] as number) * value;
        four += (first[row + 3 * width] as number) * value;
      }
      sum += Math.max(0, one) * (second[unit] as number);
      sum += Math.max(0, two) * (second[unit + 1] as number);
      sum += Math.max(0, three) * (second[unit + 2] as number);
      sum += Math.max(0, four) * (second[unit + 3] as number);
    }
    return sum;
  };
}

/** Rounded to single precision, as in training. */
const toDoubles = (numbers: readonly number[]) => Float64Array.from(numbers, Math.fround);

const readWeights = () =>
  readShipped<RankerWeights>('discovery-ranker.json', (weights) => {
    if (weights.features.join() !== [...featureNames, ...requestFactNames].join())
      throw new TypeError('The features are not those of this version');
    if (!(weights.nothing <= weights.perhaps) || weights.calibration.length !== strata)
      throw new TypeError('The thresholds are missing');
    if (weights.acts.bias.length !== actClasses || weights.acts.facts.length !== actFacts.length)
      throw new TypeError('The verb classes are not those of this version');
    if (weights.names.bias.length !== weights.names.words.length)
      throw new TypeError('The words of names are not complete');
  });

const readBundledWeights = (name: string) =>
  readShipped<BundledWeights>(name, ({ bias, tools }) => {
    if (bias.length !== tools.length + 1) throw new TypeError('The classes are not those of the tools');
  });

/** Reads a file of weights. `check` throws if they do not fit this version. */
async function readShipped<Weights>(name: string, check: (weights: Weights) => void): Promise<Weights> {
  try {
    const weights = JSON.parse(await readFile(shipped(name), 'utf8')) as Weights;
    check(weights);
    return weights;
  } catch (cause) {
    throw new HelveError('internal', `The weights of the ranker cannot be read: weights/${name}`, {
      hint: 'The file belongs to the package. Install it again, or create it with `npm run train:discovery`.',
      cause,
    });
  }
}
