// Stand-ins for models that make vectors of texts, and a client for a real one.
import { numbersFrom } from './random.js';

const dimensions = 256;
const below = numbersFrom(20_261_127);

function hash(text) {
  let sum = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193);
  return (sum ^ (sum >>> 15)) >>> 0;
}

const unit = (vector) => {
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
};

/** Groups of three to five letters, each in one of 256 places with a sign. */
export function letters(text) {
  const vector = new Float64Array(dimensions);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
    for (let size = 3; size <= 5; size++)
      for (let at = 0; at + size <= word.length + 2; at++) {
        const key = hash(` ${word} `.slice(at, at + size));
        vector[key % dimensions] += key & 0x1000000 ? 1 : -1;
      }
  return unit(Array.from(vector, (value) => value || 1e-9));
}

/** A normally distributed number, nearly. */
const noise = () => {
  let sum = -6;
  for (let at = 0; at < 12; at++) sum += below(1e6) / 1e6;
  return sum;
};

/** A vector that has this cosine with the mean of others, and is noise for the rest. */
export function oracle(vectors, cosine) {
  const right = unit(Array.from({ length: dimensions }, (_, at) => vectors.reduce((sum, one) => sum + one[at], 1e-9)));
  const random = Array.from({ length: dimensions }, noise);
  const along = random.reduce((sum, value, at) => sum + value * right[at], 0);
  const across = unit(random.map((value, at) => value - along * right[at]));
  return right.map((value, at) => cosine * value + Math.sqrt(1 - cosine * cosine) * across[at]);
}

/** Vectors of the model that the environment names, in the order of the texts. */
export async function askModel(texts) {
  const { HELVE_EMBEDDINGS_URL: base, HELVE_EMBEDDINGS_MODEL: model, HELVE_EMBEDDINGS_KEY: key } = process.env;
  const vectors = [];
  for (let from = 0; from < texts.length; from += 64) {
    const answer = await fetch(`${base.replace(/\/$/, '')}/embeddings`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
      body: JSON.stringify({ model, input: texts.slice(from, from + 64) }),
    });
    if (!answer.ok) throw new Error(`${base} answered ${answer.status}`);
    const { data } = await answer.json();
    vectors.push(...data.sort((one, other) => one.index - other.index).map(({ embedding }) => embedding));
  }
  return vectors;
}
