// The ranker's network and its training: one hidden layer and a linear part; maximises the likelihood of the right tools among
// the candidates of each request, with Adam. Plain arithmetic in a fixed order gives the same numbers on every machine.
import { exp, log, shuffle } from '../arithmetic.js';
import { createLuck } from './luck.js';

export function createNetwork(width, hidden, seed) {
  const luck = createLuck(seed);
  const size = hidden * width + hidden + hidden + width;
  const values = new Float64Array(size);
  for (let at = 0; at < hidden * width; at++) values[at] = (luck.next() - 0.5) * (2 / Math.sqrt(width));
  for (let at = hidden * width + hidden; at < hidden * width + 2 * hidden; at++) values[at] = (luck.next() - 0.5) * 0.5;
  return { width, hidden, values };
}

const parts = ({ width, hidden }) => ({
  bias: hidden * width,
  second: hidden * width + hidden,
  linear: hidden * width + 2 * hidden,
});

export function scoreOf(network, features, start, active) {
  const { width, hidden, values } = network;
  const { bias, second, linear } = parts(network);
  let sum = 0;
  for (let at = 0; at < width; at++) sum += values[linear + at] * features[start + at];
  for (let unit = 0; unit < hidden; unit++) {
    let value = values[bias + unit];
    for (let at = 0; at < width; at++) value += values[unit * width + at] * features[start + at];
    if (active !== undefined) active[unit] = value > 0 ? value : 0;
    if (value > 0) sum += value * values[second + unit];
  }
  return sum;
}

/**
 * `groups` are `{ features, count, relevant: Uint8Array, weight?, base? }`: `base` is what the score of each candidate is before
 * the network adds to it. Calls `after(epoch, loss)`.
 */
export function train(network, groups, { epochs, rate, decay, batch, seed }, after) {
  const { width, hidden, values } = network;
  const { bias, second, linear } = parts(network);
  const first = new Float64Array(values.length);
  const squared = new Float64Array(values.length);
  const gradient = new Float64Array(values.length);
  const luck = createLuck(seed);
  const turns = groups.map((_, at) => at);
  const steps = epochs * Math.ceil(groups.length / batch) + 1;
  let step = 0;
  for (let epoch = 0; epoch < epochs; epoch++) {
    shuffle(turns, luck.next);
    let loss = 0;
    for (let from = 0; from < turns.length; from += batch) {
      gradient.fill(0);
      const some = turns.slice(from, from + batch);
      for (const at of some) loss += addGradient(network, groups[at], gradient, (groups[at].weight ?? 1) / some.length);
      step += 1;
      // Decreases to zero, so that the last requests do not count more than the others.
      const now = rate * (1 - step / steps);
      const one = 1 - 0.9 ** step;
      const two = 1 - 0.999 ** step;
      for (let at = 0; at < values.length; at++) {
        const slope = gradient[at] + decay * values[at];
        first[at] = 0.9 * first[at] + 0.1 * slope;
        squared[at] = 0.999 * squared[at] + 0.001 * slope * slope;
        values[at] -= (now * (first[at] / one)) / (Math.sqrt(squared[at] / two) + 1e-8);
      }
    }
    after?.(epoch, loss / turns.length);
  }

  function addGradient(net, { features, count, relevant, base }, target, share) {
    const scores = new Float64Array(count);
    const actives = new Float64Array(count * hidden);
    for (let at = 0; at < count; at++) {
      const added = scoreOf(net, features, at * width, actives.subarray(at * hidden, (at + 1) * hidden));
      scores[at] = (base?.[at] ?? 0) + added;
    }
    const { slopes, rights, loss } = listSlopes(scores, relevant);
    for (let at = 0; at < count; at++) {
      const slope = (slopes[at] * share) / rights;
      if (Math.abs(slope) < 1e-9) continue;
      for (let one = 0; one < width; one++) target[linear + one] += slope * features[at * width + one];
      for (let unit = 0; unit < hidden; unit++) {
        const value = actives[at * hidden + unit];
        if (value === 0) continue;
        target[second + unit] += slope * value;
        const through = slope * values[second + unit];
        target[bias + unit] += through;
        for (let one = 0; one < width; one++) target[unit * width + one] += through * features[at * width + one];
      }
    }
    return loss;
  }
}

/**
 * By how much the loss of each score rises with it, times the number of right ones (`rights`), and the loss itself. Each right tool is compared
 * with the wrong ones only, so that several right tools do not push each other down.
 */
export function listSlopes(scores, relevant) {
  const most = Math.max(...scores);
  const odds = Array.from(scores, (score) => exp(score - most));
  let wrong = 0;
  let rights = 0;
  for (const [at, one] of odds.entries()) {
    if (relevant[at]) rights += 1;
    else wrong += one;
  }
  let pull = 0;
  let loss = 0;
  for (const [at, one] of odds.entries()) {
    if (!relevant[at]) continue;
    pull += 1 / (one + wrong);
    loss += log((one + wrong) / Math.max(one, 1e-30)) / rights;
  }
  const slopes = odds.map((one, at) => (relevant[at] ? -wrong / (one + wrong) : one * pull));
  return { slopes, rights, loss };
}

/** The network of such weights as `toWeights` gives. */
export function fromWeights({ first, bias, second, linear }) {
  const values = Float64Array.from([...first.flat(), ...bias, ...second, ...linear]);
  return { width: linear.length, hidden: bias.length, values };
}

/** The weights as shipped, rounded so that they are read identically everywhere. */
export function toWeights(network) {
  const { width, hidden, values } = network;
  const { bias, second, linear } = parts(network);
  const round = (list) => Array.from(list, (value) => Math.round(value * 1e4) / 1e4);
  return {
    first: Array.from({ length: hidden }, (_, unit) => round(values.subarray(unit * width, (unit + 1) * width))),
    bias: round(values.subarray(bias, second)),
    second: round(values.subarray(second, linear)),
    linear: round(values.subarray(linear)),
  };
}
