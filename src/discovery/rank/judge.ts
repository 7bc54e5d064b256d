/** The certainty that the available tools can do what is requested, as one of three answers. */
import type { Answer } from '../tool.js';
import type { Ranker } from './ranker.js';

/** `probability`: that of the best candidate, by the numbers of `fitness.ts` and, for a bundled tool, by the wording. */
export function judge({ nothing, perhaps }: Ranker, probability: number): Answer {
  return probability < nothing ? 'nothing' : probability < perhaps ? 'perhaps' : 'these';
}
