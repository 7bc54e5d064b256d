/** The certainty that the available tools can do what is requested, as one of three answers. */
import type { Answer } from '../tool.js';
import type { Ranker } from './ranker.js';

/** Log-odds of a text's wording below which it reads like no request for a tool, and the probability below which nothing then fits. */
const unlikely = { wording: -1, nothing: 0.15 };
/** What people say when they want one of fewer tools is unknown: the wording was learned from requests for apps. */
export const minAppTools = 5;

/**
 * `probability`: that of the best candidate, by the numbers of `fitness.ts` and, for a bundled tool, by the wording. `wording`: the log-odds
 * of `wording.ts`, only if the candidate belongs to an app.
 */
export function judge({ nothing, perhaps }: Ranker, probability: number, wording = 0): Answer {
  const least = wording < unlikely.wording ? unlikely.nothing : nothing;
  return probability < least ? 'nothing' : probability < perhaps ? 'perhaps' : 'these';
}
