/** The certainty that the available tools can do what is requested, as one of three answers. */
import type { Answer } from '../tool.js';
import type { Ranker } from './ranker.js';

/** `numbers`: those of `fitness.ts` for the best candidate. */
export function judge(ranker: Ranker, numbers: Float32Array): Answer {
  const probability = ranker.probability(numbers);
  return probability < ranker.nothing ? 'nothing' : probability < ranker.perhaps ? 'perhaps' : 'these';
}
