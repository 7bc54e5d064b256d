/** The certainty that the available tools can do what is requested, as one of three answers. */
import type { Answer } from '../tool.js';
import type { Ranker } from './ranker.js';

/** Log-odds of a text's wording below which it reads like no request for a tool, and the probability below which nothing then fits. */
const unlikely = { wording: -1, nothing: 0.17 };
/** Who searches a single toolkit believes that it can do it: from this wording on, nothing fits only below this probability. */
const likely = { wording: 1, nothing: 0.01 };
/** What people say when they want one of fewer tools is unknown: the wording was learned from requests for apps. */
const minAppTools = 5;

/** What the wording of a request says about a candidate. */
export interface Wording {
  /** The log-odds of `wording.ts`. */
  readonly odds: number;
  /** How many tools the toolkit of the candidate has. */
  readonly tools: number;
  /** Whether a single toolkit is searched. */
  readonly isAlone: boolean;
}

/**
 * `probability`: that of the best candidate, by the numbers of `fitness.ts`. `wording`: undefined for a tool that comes with Helve, because
 * its probability already counts the wording.
 */
export function judge({ nothing, perhaps }: Ranker, probability: number, wording?: Wording): Answer {
  return probability < findLeast(nothing, wording) ? 'nothing' : probability < perhaps ? 'perhaps' : 'these';
}

function findLeast(usual: number, wording?: Wording): number {
  if (wording === undefined) return usual;
  if (wording.isAlone && wording.odds >= likely.wording) return likely.nothing;
  return wording.tools >= minAppTools && wording.odds < unlikely.wording ? unlikely.nothing : usual;
}
