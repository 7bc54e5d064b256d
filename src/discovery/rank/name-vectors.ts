/** How near the words of a name are to a request: the cosine of their sum. */
import type { Shard } from '../postings/shard.js';
import type { Vocabulary } from '../postings/vocabulary.js';
import { lengthOfSum, rowOfTerm, shareInProduct } from '../semantic/text-vectors.js';
import type { WordVectors } from '../semantic/word-vectors.js';

/** The lengths of the sums of names, by shard; NaN if it has not been computed. They are the same for every request. */
const lengths = new WeakMap<Shard, Float32Array>();

/** Returns the cosine of a request with the name of a tool, computed once for each word of the names. */
export function createNameCosine(
  vector: Float32Array,
  vocabulary: Vocabulary,
  vectors: WordVectors | undefined,
): (shard: Shard, tool: number) => number {
  if (vectors === undefined || vector.length === 0) return () => 0;
  const shares = new Map<number, number>();
  const shareOf = (term: number) => {
    const before = shares.get(term);
    if (before !== undefined) return before;
    const share = shareInProduct(vector, rowOfTerm(term, vocabulary, vectors), vectors);
    shares.set(term, share);
    return share;
  };
  return (shard, tool) => {
    const { nameTerms, nameStarts } = shard.facts();
    const start = nameStarts[tool] ?? 0;
    const end = nameStarts[tool + 1] ?? 0;
    const known = lengths.get(shard) ?? new Float32Array(shard.size).fill(Number.NaN);
    lengths.set(shard, known);
    let length = known[tool] ?? 0;
    if (Number.isNaN(length)) {
      const rows: number[] = [];
      for (let at = start; at < end; at++) rows.push(rowOfTerm((nameTerms[at] ?? 0) >> 1, vocabulary, vectors));
      length = lengthOfSum(rows, vectors);
      known[tool] = length;
    }
    let product = 0;
    for (let at = start; at < end; at++) product += shareOf((nameTerms[at] ?? 0) >> 1);
    return length === 0 ? 0 : product / length;
  };
}
