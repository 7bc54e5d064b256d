// Makes the output of the second network a probability, on requests of apps that it has not seen, for each kind of request by
// itself: with few or many tools, with and without the name of an app. Below `nothing` nothing fits, below `perhaps` perhaps.
import { exp, log } from '../arithmetic.js';
import { strata, stratumOf } from './examine.js';

const rounds = 60;
const perhaps = 0.5;
const nothing = 0.045;
/** The probability below which only the share `lost` of requests lies. */
const low = 0.1;
/** The share of requests that may be lost, of those whose right tool is among the first ten. */
const lost = 0.025;
/**
 * The minimum distance of the outputs at `low` and at `perhaps`; and the minimum number of samples for a kind of its
 * own.
 */
const narrowest = 0.7;
const fewest = 150;
const round = (value) => Math.round(value * 1e4) / 1e4;
const sigmoid = (value) => (value > 30 ? 1 : value < -30 ? 0 : 1 / (1 + exp(-value)));
const logit = (share) => log(share / (1 - share));

/** The output at which both outcomes are equally likely if they are equally frequent: by a logistic curve, with Newton's method. */
function findMiddle(samples) {
  const positives = samples.filter(({ isFit }) => isFit).length;
  const weights = [1 / (2 * (samples.length - positives)), 1 / (2 * positives)];
  let [slope, offset] = [1, 0];
  for (let left = rounds; left > 0; left--) {
    let [one, two, a, b, c] = [0, 0, 1e-6, 0, 1e-6];
    for (const { value, isFit } of samples) {
      const expected = sigmoid(slope * value + offset);
      const weight = weights[Number(isFit)];
      const error = weight * (expected - Number(isFit));
      const spread = weight * expected * (1 - expected);
      one += error * value;
      two += error;
      a += spread * value * value;
      b += spread * value;
      c += spread;
    }
    const determinant = a * c - b * b;
    slope -= (0.5 * (c * one - b * two)) / determinant;
    offset -= (0.5 * (a * two - b * one)) / determinant;
  }
  return -offset / slope;
}

/** The value below which this share of the worst of several kinds lies. */
function quantileOf(samples, share) {
  const kinds = [...new Set(samples.map(({ kind }) => kind))];
  const quantiles = kinds
    .map((kind) => samples.filter((sample) => sample.kind === kind).map(({ value }) => value))
    .filter((values) => values.length >= fewest / 3)
    .map((values) => values.sort((x, y) => x - y)[Math.floor(values.length * share)]);
  return Math.min(...quantiles);
}

/** A curve through `perhaps` at the middle and `low` where only the allowed share lies below. */
function curveOf(samples) {
  const middle = findMiddle(samples);
  const found = samples.filter(({ isFit, isFound }) => isFit && isFound);
  const bottom = Math.min(quantileOf(found, lost), middle - narrowest);
  const slope = (logit(perhaps) - logit(low)) / (middle - bottom);
  return { slope: round(slope), offset: round(-slope * middle) };
}

/** `{ calibration, nothing, perhaps }`; a sample is `{ numbers, isFit, isFound, kind }`. */
export function calibrate(samples, scoreOf, report) {
  const valued = samples.map((sample) => ({
    ...sample,
    value: scoreOf(sample.numbers),
    stratum: stratumOf(sample.numbers),
  }));
  const overall = curveOf(valued);
  const calibration = Array.from({ length: strata }, (_, stratum) => {
    const own = valued.filter((sample) => sample.stratum === stratum);
    const fitting = own.filter(({ isFit }) => isFit).length;
    return Math.min(fitting, own.length - fitting) < fewest ? overall : curveOf(own);
  });
  const rated = valued.map(({ kind, stratum, value }) => {
    const { slope, offset } = calibration[stratum];
    return { kind, stratum, probability: sigmoid(slope * value + offset) };
  });
  const groups = new Map();
  for (const { kind, stratum, probability } of rated)
    for (const key of [kind, `${kind}, ${stratum}`]) groups.set(key, [...(groups.get(key) ?? []), probability]);
  for (const [key, values] of [...groups].sort()) {
    const below = (threshold) =>
      ((100 * values.filter((value) => value < threshold).length) / values.length).toFixed(1);
    report(`${key}: of ${values.length}, ${below(nothing)} % nothing, ${below(perhaps)} % at most perhaps`);
  }
  report(`calibration ${JSON.stringify(calibration)}`);
  return { calibration, nothing, perhaps };
}
