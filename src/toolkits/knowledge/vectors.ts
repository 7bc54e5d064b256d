/** Vectors of elements, with one byte per number: this takes a quarter of the space and keeps the order of the hits. */
import { HelveError } from '../../domain/errors.js';
import type { EmbeddingModel } from '../../domain/reach.js';

const atOnce = 96;

/** All vectors one after the other, in base64. */
export async function embedTexts(
  model: EmbeddingModel,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<string> {
  const packed: Int8Array[] = [];
  for (let start = 0; start < texts.length; start += atOnce) {
    if (signal.aborted) throw new HelveError('cancelled', 'The call was cancelled');
    for (const vector of await model.embed(texts.slice(start, start + atOnce))) packed.push(pack(vector));
  }
  const [first] = packed;
  if (packed.some(({ length }) => length === 0 || length !== first?.length)) {
    throw new HelveError('upstream_failed', `${model.id} answered with vectors of different lengths`);
  }
  return Buffer.concat(packed.map(({ buffer }) => new Uint8Array(buffer))).toString('base64');
}

function pack(vector: readonly number[]): Int8Array<ArrayBuffer> {
  let largest = 0;
  for (const value of vector) largest = Math.max(largest, Math.abs(value));
  if (!Number.isFinite(largest))
    throw new HelveError('upstream_failed', 'A vector contains a value that is not a number');
  const bytes = new Int8Array(vector.length);
  for (let at = 0; at < vector.length; at += 1) bytes[at] = Math.round(((vector[at] ?? 0) * 127) / (largest || 1));
  return bytes;
}
