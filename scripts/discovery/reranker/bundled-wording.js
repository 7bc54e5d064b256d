// Learns what people say when they want one of the bundled tools: a logistic regression over the marks of written requests and
// their mean word vectors, with a class for each tool and one for texts that no tool serves, with AdaGrad.
import { shuffle, toShares } from '../arithmetic.js';
import { dist } from './dist.js';
import { createLuck } from './luck.js';
import { numberOften, toMarks } from './marks.js';

const { listBundledMarks, loadWordVectors, meanOfStems } = await import(new URL('discovery/training.js', dist));

const settings = {
  seed: 20_261_129,
  passes: 15,
  rate: 0.1,
  decay: 0.03,
  decayOfMeaning: 0.002,
  fewest: 2,
  fewestTogether: 15,
  /** What mean vectors are multiplied by while weights are learned, so that these are no larger than those of marks. */
  scale: 8,
};
const round = (value) => Math.round(value * 100) / 100;

/** Writes the share of each class to `target`. */
function predict(weights, { rows, meaning }, { classes, first, target }) {
  target.fill(0);
  for (const row of rows) for (let one = 0; one < classes; one++) target[one] += weights[row * classes + one];
  for (const [at, value] of meaning.entries())
    for (let one = 0; one < classes; one++) target[one] += weights[(first + at) * classes + one] * value;
  toShares(target);
}

function learn(samples, classes) {
  const numbers = numberOften(
    samples.map(({ marks }) => marks),
    settings.fewest,
  );
  // After the rows of marks come the bias and those of the vector.
  const bias = numbers.size;
  const first = bias + 1;
  const dimensions = samples[0].meaning.length;
  const all = samples.map(({ marks, ...sample }) => ({
    ...sample,
    rows: [...marks.flatMap((mark) => numbers.get(mark) ?? []), bias],
  }));
  const weights = new Float64Array((first + dimensions) * classes);
  const squares = new Float64Array(weights.length).fill(1e-6);
  const move = (at, slope) => {
    squares[at] += slope * slope;
    weights[at] -= (settings.rate * slope) / Math.sqrt(squares[at]);
  };
  const target = new Float64Array(classes);
  const luck = createLuck(settings.seed);
  for (let pass = 0; pass < settings.passes; pass++) {
    shuffle(all, luck.next);
    for (const sample of all) {
      predict(weights, sample, { classes, first, target });
      const slopes = target.map((share, one) => share - (sample.shares.get(one) ?? 0));
      for (const row of sample.rows)
        for (let one = 0; one < classes; one++) {
          const at = row * classes + one;
          move(at, slopes[one] + (row === bias ? 0 : settings.decay * weights[at]));
        }
      for (const [number, value] of sample.meaning.entries())
        for (let one = 0; one < classes; one++) {
          const at = (first + number) * classes + one;
          move(at, slopes[one] * value + settings.decayOfMeaning * weights[at]);
        }
    }
  }
  const rowOf = (row) => [...weights.subarray(row * classes, (row + 1) * classes)];
  return {
    bias: rowOf(bias).map(round),
    marks: toMarks(numbers, rowOf),
    meaning: Array.from({ length: dimensions }, (_, at) => rowOf(first + at).map((one) => round(settings.scale * one))),
  };
}

/** For each tool those that serve the same requests: with which it is the right one at least so often. */
function findAlike(requests) {
  const counts = new Map();
  for (const { relevant } of requests)
    for (const one of relevant)
      for (const other of relevant)
        if (one !== other) counts.set(`${one} ${other}`, (counts.get(`${one} ${other}`) ?? 0) + 1);
  const alike = {};
  for (const [pair, count] of [...counts].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const [one, other] = pair.split(' ');
    if (count >= settings.fewestTogether) alike[one] = [...(alike[one] ?? []), other];
  }
  return alike;
}

/**
 * The weights of `bundled-wording.ts`. `requests` are `{ text, relevant }`, `strangers` texts that no tool serves, `said` gives the
 * stems of a text in order; `file` has the word vectors.
 */
export async function learnBundledWording(requests, strangers, { said, file }) {
  const vectors = await loadWordVectors(file);
  const tools = [...new Set(requests.flatMap(({ relevant }) => relevant))].sort();
  const numbers = new Map(tools.map((tool, at) => [tool, at]));
  const sampleOf = (text, classes) => {
    const stems = said(text);
    return {
      marks: listBundledMarks(text, stems),
      meaning: meanOfStems(stems, vectors).map((value) => settings.scale * value),
      shares: new Map(classes.map((one) => [one, 1 / classes.length])),
    };
  };
  const samples = [
    ...requests.map(({ text, relevant }) =>
      sampleOf(
        text,
        relevant.map((tool) => numbers.get(tool)),
      ),
    ),
    ...strangers.map((text) => sampleOf(text, [tools.length])),
  ];
  return { tools, alike: findAlike(requests), ...learn(samples, tools.length + 1) };
}
