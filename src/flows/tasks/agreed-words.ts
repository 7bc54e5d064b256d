/**
 * What an agent was given to do, as a hash that is kept with the assignment. The agent acts with the accounts of whoever assigned it, so
 * others must not give it other work afterwards.
 */
import type { JsonObject } from '../../domain/json.js';
import type { Principal, PrincipalRef } from '../../domain/principal.js';
import type { Issue } from '../../domain/task.js';
import type { IssueContext } from '../../tasks/index.js';
import { canonicalJson } from '../../util/canonical.js';
import { sha256 } from '../../util/hash.js';

type Words = Pick<Issue, 'title' | 'body' | 'recipe' | 'checks'>;

/** The hashes of what decides the work, with a point between: that of its text and its recipe, and that of its checks. */
export function hashWords({ title, body = '', recipe = '', checks }: Words): string {
  return [[title, body, recipe], checks].map((part) => sha256(canonicalJson(part)).slice(0, 32)).join('.');
}

/** For an assignment that was read back later, when the earlier text of the issue is no longer known. No text has this hash. */
export const unknownWords = 'unknown';

/** For an event of the issue: these words are agreed to by this person. It holds if the agent works for them. */
export const agreement = (issue: Words, { kind, id }: Pick<PrincipalRef, 'kind' | 'id'>): JsonObject => ({
  words: hashWords(issue),
  by: { kind, id },
});

/** The agreement of whoever the agent works for to what they have written themselves. Undefined for all others, and if it is not needed. */
export function renewAgreement(issue: Words, principal: Principal, context: IssueContext): JsonObject | undefined {
  const { kind, id } = (context.assignment?.onBehalfOf ?? {}) as Partial<PrincipalRef>;
  const isTheirs = kind === principal.kind && id === principal.id;
  return isTheirs && hasOtherWords(issue, context) ? agreement(issue, principal) : undefined;
}

/** An assignment by a rule agrees to whatever comes; so does one from before words were kept. */
export const hasOtherWords = (issue: Words, { assignment }: Pick<IssueContext, 'assignment'>): boolean =>
  typeof assignment?.words === 'string' && assignment.words !== hashWords(issue);

/** While an agent works, its text may change: agents tick boxes in it. What its checks call may not. */
export const hasOtherChecks = (issue: Words, { assignment }: Pick<IssueContext, 'assignment'>): boolean =>
  typeof assignment?.words === 'string' && checksIn(assignment.words) !== checksIn(hashWords(issue));

const checksIn = (words: string): string | undefined => words.split('.')[1];

export const otherChecks = 'Its checks have changed since it was assigned: read them, and assign it again';
export const otherWords =
  'Its text, its recipe or its checks have changed since it was assigned, or may have: read it, and assign it again';
