// Learns which words people use to ask for which acts: a logistic regression over the stems of written requests, whose
// classes are those of the verbs that their tools' names begin with, with AdaGrad.
import { shuffle, toShares } from '../arithmetic.js';
import { hashOf } from '../kept-out.js';
import { dist } from './dist.js';
import { createLuck } from './luck.js';
import { numberOften, toMarks } from './marks.js';

const { actClasses, createActReader, listActMarks } = await import(new URL('discovery/training.js', dist));

const settings = { seed: 20_261_128, passes: 8, rate: 0.1, decay: 0.06, fewest: 6 };
const noAct = actClasses - 1;
/**
 * The number of parts into which the apps are divided: each request is read with what was learned from the other parts.
 */
const folds = 5;

/** The classes of a mask; the last one if it has none. */
function listClasses(mask) {
  const classes = Array.from({ length: noAct }, (_, at) => at).filter((at) => (mask & (1 << at)) !== 0);
  return classes.length === 0 ? [noAct] : classes;
}

/** The share of each class among the acts of the right tools. */
function sharesOf(masks) {
  const shares = new Float64Array(actClasses);
  for (const mask of masks) {
    const classes = listClasses(mask);
    for (const one of classes) shares[one] += 1 / (classes.length * masks.length);
  }
  return shares;
}

function predict(weights, rows, target) {
  for (let one = 0; one < actClasses; one++) {
    let sum = 0;
    for (const row of rows) sum += weights[row * actClasses + one];
    target[one] = sum;
  }
  toShares(target);
}

function learn(samples) {
  const numbers = numberOften(
    samples.map(({ marks }) => marks),
    settings.fewest,
  );
  // The last row is the bias.
  const bias = numbers.size;
  const rows = samples.map(({ marks, shares }) => ({
    shares,
    rows: [...marks.flatMap((mark) => numbers.get(mark) ?? []), bias],
  }));
  const weights = new Float64Array((bias + 1) * actClasses);
  const squares = new Float64Array(weights.length).fill(1e-6);
  const expected = new Float64Array(actClasses);
  const luck = createLuck(settings.seed);
  for (let pass = 0; pass < settings.passes; pass++) {
    shuffle(rows, luck.next);
    for (const { rows: own, shares } of rows) {
      predict(weights, own, expected);
      for (const row of own)
        for (let one = 0; one < actClasses; one++) {
          const at = row * actClasses + one;
          const slope = expected[one] - shares[one] + (row === bias ? 0 : settings.decay * weights[at]);
          squares[at] += slope * slope;
          weights[at] -= (settings.rate * slope) / Math.sqrt(squares[at]);
        }
    }
  }
  const rowOf = (row) => weights.subarray(row * actClasses, (row + 1) * actClasses);
  return {
    bias: Array.from(rowOf(bias), (weight) => Math.round(100 * weight) / 100),
    marks: toMarks(numbers, rowOf),
  };
}

const foldOf = (toolkit) => Number.parseInt(hashOf(toolkit).slice(-2) || '0', 16) % folds;

/**
 * Learns from `{ said, masks, toolkit }`: the stems of a request, the verb classes of its tools, and their app. `weights` are
 * from all of them; `of(toolkit)` gives a reader of acts (`act-wording.ts`) that has seen no request of this app.
 */
export function learnActs(requests) {
  const samples = requests.map(({ said, masks, toolkit }) => ({
    marks: listActMarks(said),
    shares: sharesOf(masks),
    fold: foldOf(toolkit),
  }));
  const parts = Array.from({ length: folds }, (_, fold) =>
    createActReader(learn(samples.filter((sample) => sample.fold !== fold))),
  );
  return { weights: learn(samples), of: (toolkit) => parts[foldOf(toolkit)] };
}
