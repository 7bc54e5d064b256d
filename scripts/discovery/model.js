// The model and its training: a text is the normalised sum of its words, each `exp(logWeight) × (map · start + change)`.
// `map` is one matrix for all words, so that words in no pair move with the others; each word has its own `change`.
import { exp } from './arithmetic.js';

const beta1 = 0.9;
const beta2 = 0.99;
const tiny = 1e-8;

/** `starts` is count × dimensions, row by row; `logWeights` has one number per word. */
export function createModel({ starts, logWeights, dimensions }) {
  const count = logWeights.length;
  const map = new Float64Array(dimensions * dimensions);
  for (let at = 0; at < dimensions; at++) map[at * dimensions + at] = 1;
  return {
    dimensions,
    count,
    starts,
    logWeights: Float64Array.from(logWeights),
    firstLogWeights: Float64Array.from(logWeights),
    changes: new Float64Array(count * dimensions),
    map,
  };
}

/** The vector of one word, multiplied by its weight. */
export function wordVector(model, row) {
  const { dimensions, starts, changes, map } = model;
  const weight = exp(model.logWeights[row]);
  const vector = new Float64Array(dimensions);
  for (let to = 0; to < dimensions; to++) {
    let sum = changes[row * dimensions + to];
    for (let from = 0; from < dimensions; from++) sum += map[to * dimensions + from] * starts[row * dimensions + from];
    vector[to] = weight * sum;
  }
  return vector;
}

/** Sums the words of a text: the sum of their starts, and the normalised sum with map and changes applied. */
export function embed(model, rows) {
  const { dimensions, starts, changes, map, logWeights } = model;
  const sum = new Float64Array(dimensions);
  const vector = new Float64Array(dimensions);
  for (const row of rows) {
    const weight = exp(logWeights[row]);
    const from = row * dimensions;
    for (let at = 0; at < dimensions; at++) {
      sum[at] += weight * starts[from + at];
      vector[at] += weight * changes[from + at];
    }
  }
  let square = 0;
  for (let to = 0; to < dimensions; to++) {
    const line = to * dimensions;
    let mapped = vector[to];
    for (let from = 0; from < dimensions; from++) mapped += map[line + from] * sum[from];
    vector[to] = mapped;
    square += mapped * mapped;
  }
  const length = Math.sqrt(square) || 1;
  for (let at = 0; at < dimensions; at++) vector[at] /= length;
  return { rows, sum, vector, length };
}

/** Adam without warming up: the moments of a value move only when it has a gradient. */
function createStepper(size) {
  const first = new Float32Array(size);
  const second = new Float32Array(size);
  return (values, at, gradient, rate) => {
    first[at] = beta1 * first[at] + (1 - beta1) * gradient;
    second[at] = beta2 * second[at] + (1 - beta2) * gradient * gradient;
    values[at] -= (rate * first[at]) / (Math.sqrt(second[at]) + tiny);
  };
}

/**
 * One step on texts `left[n]`, each of which belongs to `right[n]` and to no other of the batch. `step` returns the mean loss.
 * Rates: `change`, `weight` and `map` for the three kinds of values; `hold` pulls them back to their initial values.
 */
export function createTrainer(model, { temperature, rates }) {
  const { dimensions, count } = model;
  const stepChange = createStepper(count * dimensions);
  const stepWeight = createStepper(count);
  const stepMap = createStepper(dimensions * dimensions);
  const changeGradients = new Float64Array(count * dimensions);
  const weightGradients = new Float64Array(count);
  const mapGradients = new Float64Array(dimensions * dimensions);
  const isTouched = new Uint8Array(count);

  function addGradients({ rows, sum, vector, length }, gradient) {
    let along = 0;
    for (let at = 0; at < dimensions; at++) along += gradient[at] * vector[at];
    const raw = new Float64Array(dimensions);
    const back = new Float64Array(dimensions);
    for (let to = 0; to < dimensions; to++) {
      raw[to] = (gradient[to] - along * vector[to]) / length;
      const line = to * dimensions;
      for (let from = 0; from < dimensions; from++) {
        mapGradients[line + from] += raw[to] * sum[from];
        back[from] += model.map[line + from] * raw[to];
      }
    }
    for (const row of rows) {
      isTouched[row] = 1;
      const weight = exp(model.logWeights[row]);
      const start = row * dimensions;
      let own = 0;
      for (let at = 0; at < dimensions; at++) {
        changeGradients[start + at] += weight * raw[at];
        own += back[at] * model.starts[start + at] + raw[at] * model.changes[start + at];
      }
      weightGradients[row] += weight * own;
    }
  }

  function applyGradients(speed) {
    for (let row = 0; row < count; row++) {
      if (isTouched[row] === 0) continue;
      isTouched[row] = 0;
      const start = row * dimensions;
      for (let at = start; at < start + dimensions; at++) {
        stepChange(model.changes, at, changeGradients[at] + rates.hold * model.changes[at], speed * rates.change);
        changeGradients[at] = 0;
      }
      const drift = model.logWeights[row] - model.firstLogWeights[row];
      stepWeight(model.logWeights, row, weightGradients[row] + rates.hold * drift, speed * rates.weight);
      weightGradients[row] = 0;
    }
    for (let at = 0; at < mapGradients.length; at++) {
      stepMap(model.map, at, mapGradients[at], speed * rates.map);
      mapGradients[at] = 0;
    }
  }

  /** `speed` scales all rates, to slow down at the end. */
  function step(left, right, speed) {
    const lefts = left.map((rows) => embed(model, rows));
    const rights = right.map((rows) => embed(model, rows));
    const { loss, leftGradients, rightGradients } = contrast(lefts, rights, { dimensions, temperature });
    for (const [at, text] of lefts.entries()) addGradients(text, leftGradients[at]);
    for (const [at, text] of rights.entries()) addGradients(text, rightGradients[at]);
    applyGradients(speed);
    return loss;
  }
  return { step };
}

/** The contrastive loss of a batch in both directions, and its gradients at the texts' vectors. */
function contrast(lefts, rights, { dimensions, temperature }) {
  const size = lefts.length;
  const scores = new Float64Array(size * size);
  const across = new Float64Array(size);
  const down = new Float64Array(size);
  let loss = 0;
  for (let row = 0; row < size; row++) {
    const { vector } = lefts[row];
    for (let column = 0; column < size; column++) {
      const other = rights[column].vector;
      let sum = 0;
      for (let at = 0; at < dimensions; at++) sum += vector[at] * other[at];
      // Cosines are at most 1, so the maximum need not be subtracted.
      const score = exp((sum - 1) / temperature);
      scores[row * size + column] = score;
      across[row] += score;
      down[column] += score;
    }
  }
  const gradients = () => Array.from({ length: size }, () => new Float64Array(dimensions));
  const leftGradients = gradients();
  const rightGradients = gradients();
  const share = 1 / (2 * size * temperature);
  for (let row = 0; row < size; row++) {
    const { vector } = lefts[row];
    const leftGradient = leftGradients[row];
    for (let column = 0; column < size; column++) {
      const score = scores[row * size + column];
      const isPair = row === column;
      const pull = share * (score / across[row] + score / down[column] - (isPair ? 2 : 0));
      if (isPair) loss += 2 - score / across[row] - score / down[column];
      if (pull < 1e-9 && pull > -1e-9) continue;
      const other = rights[column].vector;
      const rightGradient = rightGradients[column];
      for (let at = 0; at < dimensions; at++) {
        leftGradient[at] += pull * other[at];
        rightGradient[at] += pull * vector[at];
      }
    }
  }
  return { loss: loss / (2 * size), leftGradients, rightGradients };
}
