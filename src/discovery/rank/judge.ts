/** How sure it is that the best candidate is what was requested, as one of three answers. */
import type { Answer } from '../tool.js';
import type { Ranker } from './ranker.js';

/** So far above the threshold, the answer is certain enough; in units of the fitness. */
const certain = 1;

/** `numbers`: those of `fitness.ts` for the best candidate. */
export function judge({ fitness, threshold }: Ranker, numbers: Float32Array): Answer {
  const value = fitness(numbers, 0);
  return value < threshold ? 'nothing' : value < threshold + certain ? 'perhaps' : 'these';
}
