// The words that get a vector, with the initial vector and the initial weight of each.
import { log } from './arithmetic.js';
import { wordsOf } from './texts.js';

const frequentWords = 40_000;
const fewestUses = 3;
const isWord = (word) => /^[a-z][a-z0-9]{1,29}$/.test(word);

/** In how many pairs each word occurs, and with which known words those without a vector occur. */
function countWords(pairs, isKnown) {
  const uses = new Map();
  const company = new Map();
  for (const pair of pairs) {
    const texts = wordsOf(pair);
    const words = new Set([...texts.name, ...texts.summary, ...texts.description, ...texts.parameters]);
    for (const word of words) {
      uses.set(word, (uses.get(word) ?? 0) + 1);
      if (isKnown(word)) continue;
      const others = company.get(word) ?? new Map();
      company.set(word, others);
      for (const other of words) if (isKnown(other)) others.set(other, (others.get(other) ?? 0) + 1);
    }
  }
  return { uses, company };
}

/** Centres the vectors and scales them to length 1. */
function centre(vectors, dimensions) {
  const middle = new Float64Array(dimensions);
  for (const vector of vectors) for (let at = 0; at < dimensions; at++) middle[at] += vector[at] / vectors.length;
  return vectors.map((vector) => normalise(vector.map((value, at) => value - middle[at])));
}

function normalise(vector) {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0)) || 1;
  return vector.map((value) => value / length);
}

/**
 * `{ words, uses, frequent, starts, logWeights }`: words in an order that depends only on the inputs, the number of pairs in
 * which each occurs, the most frequent words of general English, a vector of length 1 for each, and the logarithm of its rarity.
 */
export function createVocabulary(pairs, glove) {
  const general = glove.words.filter(isWord);
  const ranks = new Map(general.map((word, rank) => [word, rank]));
  const { uses, company } = countWords(pairs, (word) => ranks.has(word));
  const used = [...uses.keys()].filter((word) => uses.get(word) >= fewestUses);
  const known = [...new Set([...general.slice(0, frequentWords), ...used.filter((word) => ranks.has(word))])].sort();
  const unknown = used.filter((word) => !ranks.has(word)).sort();
  const { dimensions } = glove;
  const starts = centre(known.map(glove.vectorOf), dimensions);
  const rowOf = new Map(known.map((word, row) => [word, row]));
  const rarity = (word) => {
    const inPairs = log(1 + pairs.length / ((uses.get(word) ?? 0) + 5));
    const inProse = log(1 + 0.2 * ((ranks.get(word) ?? frequentWords) + 10));
    return Math.min(inPairs, inProse);
  };
  for (const word of unknown) {
    const sum = new Float64Array(dimensions);
    for (const [other, count] of company.get(word)) {
      const row = rowOf.get(other);
      if (row === undefined) continue;
      const share = count * rarity(other) * rarity(other);
      for (let at = 0; at < dimensions; at++) sum[at] += share * starts[row][at];
    }
    starts.push(normalise(sum));
  }
  const words = [...known, ...unknown];
  const flat = new Float64Array(words.length * dimensions);
  for (const [row, vector] of starts.entries()) flat.set(vector, row * dimensions);
  return {
    words,
    uses,
    frequent: general.slice(0, 8_000),
    starts: flat,
    logWeights: Float64Array.from(words, (word) => log(rarity(word))),
  };
}
