// Learns which words, beginnings and meanings requests for tools have, and which those of small talk, questions and chores: a
// logistic regression over the marks of texts and their mean word vectors, with AdaGrad.
import { exp, shuffle } from '../arithmetic.js';
import { hashOf } from '../kept-out.js';
import { dist } from './dist.js';
import { createLuck } from './luck.js';

const { createWording, listMarks, loadWordVectors, meanVector } = await import(new URL('discovery/training.js', dist));

const settings = {
  seed: 20_261_127,
  passes: 15,
  rate: 0.1,
  decay: 0.015,
  fewest: 3,
  smallest: 0.02,
  decayOfMeaning: 0.001,
  /** What mean vectors are multiplied by while weights are learned, so that these are no larger than those of marks. */
  scale: 8,
};
const round = (value) => Math.round(value * 100) / 100;

/** Both kinds weigh the same, however many there are of each. */
function learn(samples) {
  const counts = new Map();
  for (const { marks } of samples) for (const mark of marks) counts.set(mark, (counts.get(mark) ?? 0) + 1);
  const known = [...counts].filter(([, count]) => count >= settings.fewest).map(([mark]) => mark);
  const numbers = new Map(known.map((mark, at) => [mark, at]));
  const rows = samples.map(({ marks, meaning, isRequest }) => ({
    isRequest,
    marks: marks.flatMap((mark) => numbers.get(mark) ?? []),
    meaning,
  }));
  const dimensions = samples[0].meaning.length;
  const requests = samples.filter(({ isRequest }) => isRequest).length;
  const weightOfOthers = requests / (samples.length - requests);
  // After the weights of marks come the bias and those of the vector.
  const weights = new Float64Array(known.length + 1 + dimensions);
  const squares = new Float64Array(weights.length).fill(1e-8);
  const move = (at, gradient) => {
    squares[at] += gradient * gradient;
    weights[at] -= (settings.rate * gradient) / Math.sqrt(squares[at]);
  };
  const luck = createLuck(settings.seed);
  for (let pass = 0; pass < settings.passes; pass++) {
    shuffle(rows, luck.next);
    for (const { marks, meaning, isRequest } of rows) {
      const byMeaning = meaning.reduce((total, value, at) => total + value * weights[known.length + 1 + at], 0);
      const sum = marks.reduce((total, at) => total + weights[at], weights[known.length] + byMeaning);
      const slope = (1 / (1 + exp(-sum)) - Number(isRequest)) * (isRequest ? 1 : weightOfOthers);
      move(known.length, slope);
      for (const at of marks) move(at, slope + settings.decay * weightOfOthers * weights[at]);
      for (let at = 0; at < dimensions; at++) {
        const own = known.length + 1 + at;
        move(own, slope * meaning[at] + settings.decayOfMeaning * weightOfOthers * weights[own]);
      }
    }
  }
  const told = known
    .map((mark, at) => [mark, round(weights[at])])
    .filter(([, weight]) => Math.abs(weight) >= settings.smallest)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const [bias, ...meaning] = [...weights.subarray(known.length)];
  return {
    bias: round(bias),
    marks: Object.fromEntries(told),
    meaning: meaning.map((weight) => round(settings.scale * weight)),
  };
}

/** Which half of the texts this one is in. */
const halfOf = (text) => Number.parseInt(hashOf(text).slice(-1) || '0', 16) % 2;

/**
 * With the word vectors of a file: `weights` from all texts; and `of(text, origin)`, as if the text had not been seen: by the half of the texts that `origin`,
 * the written text that it was made from, is not in.
 */
export async function learnWording(requests, strangers, file) {
  const vectors = await loadWordVectors(file);
  const samples = [
    ...requests.map((text) => ({ text, isRequest: true })),
    ...strangers.map((text) => ({ text, isRequest: false })),
  ].map((sample) => ({
    ...sample,
    half: halfOf(sample.text),
    marks: listMarks(sample.text),
    meaning: meanVector(sample.text, vectors).map((value) => settings.scale * value),
  }));
  const halves = [0, 1].map((half) => createWording(learn(samples.filter((sample) => sample.half !== half)), vectors));
  return { weights: learn(samples), of: (text, origin) => halves[halfOf(origin)](text) };
}
