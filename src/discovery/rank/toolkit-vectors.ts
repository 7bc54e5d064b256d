/** What a toolkit's tools are about as a whole, computed once for each version of the toolkit. */
import type { Shard } from '../postings/shard.js';

const middles = new WeakMap<Shard, Float32Array>();

/** The direction of a toolkit's tools taken together, of length 1. */
function getMiddle(shard: Shard, dimensions: number): Float32Array {
  const before = middles.get(shard);
  if (before !== undefined) return before;
  const sum = new Float32Array(dimensions);
  const { vectors } = shard.facts();
  for (let at = 0; at < vectors.length; at++) {
    const dimension = at % dimensions;
    sum[dimension] = (sum[dimension] as number) + (vectors[at] as number);
  }
  const length = Math.sqrt(dot(sum, sum)) || 1;
  const made = sum.map((value) => value / length);
  middles.set(shard, made);
  return made;
}

/** The cosine of a request with a toolkit's tools taken together. */
export function cosineWithAll(vector: Float32Array, shard: Shard): number {
  return vector.length === 0 ? 0 : dot(vector, getMiddle(shard, vector.length));
}

/** Four sums that do not wait for each other halve the time. */
function dot(vector: Float32Array, other: Float32Array): number {
  let one = 0;
  let two = 0;
  let three = 0;
  let four = 0;
  let at = 0;
  for (; at + 3 < vector.length; at += 4) {
    one += (vector[at] as number) * (other[at] as number);
    two += (vector[at + 1] as number) * (other[at + 1] as number);
    three += (vector[at + 2] as number) * (other[at + 2] as number);
    four += (vector[at + 3] as number) * (other[at + 3] as number);
  }
  for (; at < vector.length; at++) one += (vector[at] as number) * (other[at] as number);
  return one + two + three + four;
}
