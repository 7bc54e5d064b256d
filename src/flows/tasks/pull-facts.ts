/**
 * Converts what GitHub says about a pull request into the events that its deliveries would have caused, in the same
 * order.
 */
import type { ActorEvent } from '../../domain/actor-host.js';
import type { PrContext } from '../../tasks/index.js';
import { type CheckFacts, maxCheckName, readCheckState, timesOf } from './webhooks/github-pulls.js';
import { association } from './webhooks/github-shapes.js';
import { orderOf } from './webhooks/news.js';

/** As the tool `get_pull_request` answers. */
export interface ReadPull {
  readonly state: string;
  readonly merged: boolean;
  readonly draft?: boolean;
  readonly head: { readonly sha: string };
  /** Absent while GitHub does not know. */
  readonly mergeable?: boolean;
  readonly updated_at: string;
}

/** As the tool `list_check_runs` answers. */
export interface ReadRun extends CheckFacts {
  readonly name: string;
}

/** As the tool `list_reviews` answers, oldest first. */
export interface ReadReview {
  readonly author?: string;
  readonly state: string;
  readonly commit_sha?: string;
  readonly submitted_at?: string;
  readonly author_association?: string;
}

export interface PullReading {
  readonly pull: ReadPull;
  readonly runs: readonly ReadRun[];
  readonly reviews: readonly ReadReview[];
}

/** What its actor knows. */
export interface KnownPull extends Pick<PrContext, 'draft' | 'review' | 'checks' | 'mergeable' | 'head'> {
  /** The state of the actor. */
  readonly state: string;
}

/** The last part of every `order` here. A delivery of the same time says the same. */
const reading = 'read';

/** Returns only events that tell the actor something new. */
export function findPullNews({ pull, runs, reviews }: PullReading, known: KnownPull): readonly ActorEvent[] {
  const { sha } = pull.head;
  const isPushed = sha !== known.head;
  // A push invalidates what was known about the previous commit.
  const now = isPushed ? { ...known, checks: {}, mergeable: null, review: { ...known.review, approvals: [] } } : known;
  const order = orderOf(pull.updated_at, reading);
  const isMergeableNews = pull.mergeable !== undefined && pull.mergeable !== now.mergeable;
  return [
    ...(isPushed ? [{ type: 'COMMITS_PUSHED', head: sha, order }] : []),
    ...findDraftNews(pull, known, order),
    ...findCheckNews(runs, sha, now),
    ...findReviewNews(reviews, sha, now.review),
    ...(isMergeableNews ? [{ type: 'CONFLICTS_CHECKED', mergeable: pull.mergeable ?? null }] : []),
    ...findEndNews(pull, known, order),
  ];
}

function findDraftNews({ draft }: ReadPull, known: KnownPull, order: string): readonly ActorEvent[] {
  if (draft === undefined || draft === known.draft) return [];
  return [{ type: draft ? 'CONVERTED_TO_DRAFT' : 'READY_FOR_REVIEW', order }];
}

function findCheckNews(runs: readonly ReadRun[], head: string, { checks }: Pick<KnownPull, 'checks'>) {
  return runs.flatMap((run): ActorEvent[] => {
    const [name, state] = [run.name.slice(0, maxCheckName), readCheckState(run)];
    if (checks[name] === state) return [];
    return [{ type: 'CHECK_UPDATED', name, state, head, order: orderOf(timesOf(run), reading) }];
  });
}

function findEndNews({ merged, state }: ReadPull, known: KnownPull, order: string): readonly ActorEvent[] {
  if (merged) return [{ type: 'MERGED', order }];
  if ((state === 'closed') === (known.state === 'closed')) return [];
  return [{ type: state === 'closed' ? 'CLOSED' : 'REOPENED', order }];
}

/** Anybody may review what is public, but only who belongs to the repository decides. */
const isVerdict = ({ state, author_association: as = 'NONE' }: ReadReview): boolean =>
  state === 'DISMISSED' || (['APPROVED', 'CHANGES_REQUESTED'].includes(state) && association.isTrusted(as));

/** The latest review of each reviewer of the repository. An approval counts only for the commit that was reviewed. */
function findReviewNews(
  reviews: readonly ReadReview[],
  head: string,
  { approvals, changesRequested }: KnownPull['review'],
): readonly ActorEvent[] {
  const last = new Map<string, ReadReview>();
  for (const review of reviews) if (isVerdict(review)) last.set(review.author ?? 'ghost', review);
  return [...last].flatMap(([reviewer, { state, commit_sha, submitted_at = '' }]) => {
    if (state === 'APPROVED' && commit_sha !== head) return [];
    const isOn = { APPROVED: approvals.includes(reviewer), CHANGES_REQUESTED: changesRequested.includes(reviewer) };
    const isKnown =
      state === 'DISMISSED' ? !isOn.APPROVED && !isOn.CHANGES_REQUESTED : isOn[state as keyof typeof isOn];
    if (isKnown) return [];
    const verdict = state.toLowerCase();
    return [{ type: 'REVIEW_SUBMITTED', reviewer, verdict, order: orderOf(submitted_at, `${reading} ${verdict}`) }];
  });
}
