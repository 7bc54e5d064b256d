/**
 * What an action does, from its slug and tags: whether it changes something, and whether the change can be undone.
 *
 * Neither source is enough by itself. Most of Composio's actions have no hints at all; `destructiveHint` is also set
 * on accepting an invitation and starring a repository, and is missing on some actions that delete. Therefore:
 * - an action is a read if a tag says so and its verb does not contradict it; or, without hints, if its verb is
 *   one of reading and no word in it changes anything;
 * - it is destructive if its verb destroys, whatever the tags say; if its verb may destroy, unless its tags say only
 *   other things; or if a tag says so and its verb is not one of those that can be undone;
 * - everything else is a write.
 */
import type { RiskTier, ToolAnnotations } from '../../domain/tool.js';

const splitWords = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

const reading = splitWords(`get gets list lists search fetch fetches find finds retrieve retrieves read view show lookup
  describe count download returns`);

/** Verbs whose effect cannot be undone. */
const destroying = splitWords(`delete deletes deleting purge destroy erase wipe drop truncate permanently expunge`);

/** Verbs whose effect may not be undoable. */
const taking = splitWords(`remove removes empty clear revoke cancel merge transfer replace terminate void discard reset
  uninstall overwrite invalidate refund unenroll flush`);

/** Verbs that the opposite action, or the same one with other values, undoes. */
const undoable =
  splitWords(`accept decline block unblock follow unfollow star unstar mark unmark lock unlock enable disable
  set unset update create add review rerequest request rename stop start pause resume sync archive unarchive hide unhide
  pin unpin mute unmute subscribe unsubscribe like unlike assign unassign join leave publish unpublish approve dismiss
  edit modify patch put move trash untrash restore watch unwatch open close reopen`);

/** Other words that mean a change, wherever they occur. */
const changing =
  splitWords(`post insert upsert send submit upload import write save store append attach detach copy clone
  duplicate fork commit push trigger run execute invoke launch deploy register schedule book order pay charge invite
  reject reply respond forward share unshare grant deny ban unban kick suspend activate deactivate connect disconnect link
  unlink convert generate configure manage change customize rotate regenerate redeliver resend retry replay complete
  finish fulfill capture claim issue transition escalate resolve rerun bulk batch`);

type Part = 'reading' | 'destroying' | 'taking' | 'undoable' | 'changing';

function getPart(word: string): Part | undefined {
  if (reading.has(word)) return 'reading';
  if (destroying.has(word)) return 'destroying';
  if (taking.has(word)) return 'taking';
  if (undoable.has(word)) return 'undoable';
  return changing.has(word) ? 'changing' : undefined;
}

/** Verbs that are often nouns: `post_delete` deletes a post, and `lists_clear_rows` lists nothing. */
const nouns =
  splitWords(`list lists view count post order charge issue review request star block watch like link share run
  trigger push fork commit copy clone register schedule book stop start open close bulk batch archive trash store void
  pin lock sync claim invite reply`);

/** Words that are only verbs. */
const clearly = splitWords('create update add insert upsert send edit modify patch upload rename write remove');

/** The verb: the first word, unless it is a noun there; otherwise the first verb after it. */
function chooseVerb(words: readonly string[]): string | undefined {
  const [first = '', second = ''] = words;
  const last = words.at(-1) ?? '';
  if (nouns.has(first)) {
    if (destroying.has(second) || clearly.has(second) || taking.has(second) || second === 'get') return second;
    if (destroying.has(last) || clearly.has(last)) return last;
  }
  if (getPart(first) !== undefined) return first;
  const verbs = words.filter((word) => getPart(word) !== undefined);
  return verbs.find((word) => word === 'list' || !nouns.has(word)) ?? verbs[0];
}

export interface ActionNature {
  readonly annotations: ToolAnnotations;
  readonly risk: RiskTier;
  /** False only if a tag says that the action only reads. */
  readonly hasEffects: boolean;
  /** Whether it can be sent again if its response was lost: only if a tag says so. */
  readonly repeatable: boolean;
}

/** Returns what an action does, from its name and tags. */
export function judgeNature(name: string, tags: readonly string[]): ActionNature {
  const words = wordsIn(name);
  const verb = chooseVerb(words);
  const part = verb === undefined ? undefined : getPart(verb);
  const hints = new Set(tags.filter((tag) => tag.endsWith('Hint')));
  const saysReadOnly = hints.has('readOnlyHint');
  const warns = hints.has('destructiveHint') || hints.has('updateHint') || hints.has('writeOnlyHint');
  const trusted = saysReadOnly && !warns && !speaksAgainst(verb, part);
  const reads = trusted || (hints.size === 0 && part === 'reading' && words.every(isHarmless));
  const risk = reads ? 'read' : isDestructive(words, part, hints) ? 'destructive' : 'write';
  return {
    annotations: {
      readOnlyHint: reads,
      destructiveHint: risk === 'destructive',
      idempotentHint: reads || hints.has('idempotentHint'),
      // Every action reaches an external service.
      openWorldHint: true,
    },
    risk,
    hasEffects: !trusted,
    repeatable: trusted || hints.has('idempotentHint'),
  };
}

/** Composio writes `REPO_S` for repos. */
const wordsIn = (name: string): string[] =>
  name
    .replace(/_s(?=_|$)/g, 's')
    .split('_')
    .filter(Boolean);

const isHarmless = (word: string): boolean => {
  const part = getPart(word);
  return part === undefined || part === 'reading';
};

/** A tag that says "only reads" on `DELETE_…` is a mistake. For ambiguous verbs the tag decides. */
function speaksAgainst(verb: string | undefined, part: Part | undefined): boolean {
  return part === 'destroying' || part === 'taking' || clearly.has(verb ?? '');
}

function isDestructive(words: readonly string[], part: Part | undefined, hints: ReadonlySet<string>): boolean {
  const warned = hints.has('destructiveHint');
  // `retrieve_or_delete_…` deletes; `get_delete_job` only reads about it.
  const destroys = (word: string, index: number): boolean =>
    destroying.has(word) && (part !== 'reading' || ['or', 'and'].includes(words[index - 1] ?? ''));
  if (words.some(destroys)) return true;
  if (part === 'taking') return warned || hints.size === 0;
  return warned && part !== 'undoable';
}

const articles = splitWords('a an the');
const prepositions = splitWords('for in of by to from with on at as into per using via within and or if');
const maxWords = 4;

/** Verb and object: `create issue` of `create_an_issue_for_a_repository`. */
export function getCapability(name: string): string {
  const words = wordsIn(name).filter((word) => !articles.has(word));
  const verb = chooseVerb(words);
  const rest = verb === undefined ? words : words.toSpliced(words.indexOf(verb), 1);
  // `list_events_for_repo`: the word after a preposition is not the object.
  const end = rest.findIndex((word, index) => index > 0 && prepositions.has(word));
  const object = (end < 0 ? rest : rest.slice(0, end)).filter((word) => !prepositions.has(word)).slice(0, maxWords);
  return [...(verb === undefined ? [] : [verb]), ...object].join(' ').slice(0, 80);
}
