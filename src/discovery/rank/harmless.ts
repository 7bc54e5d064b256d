/** Whether a tool destroys something, by its verb, and whether a request asks for that. */
import { stem } from '../text/stem.js';
import { agreement, verbMask } from '../text/verbs.js';

const destroying = verbMask(stem('delete'));
/** Verbs of requests that deleting may serve, although they are not verbs of tools, or belong to another class. */
const alsoDestroying: ReadonlySet<string> = new Set(
  `wipe empty kick ban kill undo uninstall unpublish expire void reset forget dismiss leave quit scrap bin ditch nuke axe throw
  toss rid unlink unstar unpin unlike unshare revert rollback uninvite cleanup prune expunge delist retract recall withdraw
  unwanted anymore longer obsolete cancel terminate abort`
    .split(/\s+/)
    .map((word) => stem(word)),
);
/** `don't delete it`, `nicht löschen`, `rather than deleting`. */
const negations: ReadonlySet<string> = new Set(
  'not dont doesnt never without no instead than'.split(' ').map((word) => stem(word)),
);
const negatedWords = 3;
/** Unsubscribing is close enough to deleting; archiving or ending is not. */
const enough = 0.45;

/** `mask`: the verb classes of a tool's name. */
export const isDestroying = (mask: number): boolean => (mask & destroying) !== 0;

/** `masks`: the verb classes of the acts of a request; `stems`: those of its words, in order. */
export function asksToDestroy(masks: readonly number[], stems: readonly string[]): boolean {
  let isNegated = false;
  for (const [at, one] of stems.entries()) {
    if (!alsoDestroying.has(one) && !isDestroying(verbMask(one))) continue;
    // In German, Dutch and Japanese, the word for `not` may follow the verb.
    const near = [...stems.slice(Math.max(0, at - negatedWords), at), ...stems.slice(at + 1, at + 2)];
    if (!near.some((other) => negations.has(other))) return true;
    isNegated = true;
  }
  return masks.some((mask) => agreement(mask, destroying) >= enough && !(isNegated && isDestroying(mask)));
}
