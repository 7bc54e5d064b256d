/** Deliveries of GitHub about pull requests: what happens to them, reviews and checks. */
import { z } from 'zod';
import type { ActorEvent } from '../../../domain/actor-host.js';
import type { JsonObject } from '../../../domain/json.js';
import { defined } from '../../../util/defined.js';
import { association, keyOf, parse, placeOf, repositoryShape, userShape } from './github-shapes.js';
import { orderOf, type PullNews } from './news.js';

const branchShape = z.object({
  sha: z.string(),
  ref: z.string().default(''),
  repo: z.object({ full_name: z.string() }).nullish(),
});

const pullShape = z.object({
  id: z.number(),
  number: z.number(),
  title: z.string(),
  body: z.string().nullish(),
  draft: z.boolean().default(false),
  merged: z.boolean().nullish(),
  labels: z.array(z.object({ name: z.string() })).default([]),
  user: userShape.nullish(),
  updated_at: z.string(),
  head: branchShape,
});

const pullEvent = z.object({
  action: z.string(),
  pull_request: pullShape,
  repository: repositoryShape,
  label: z.object({ name: z.string() }).nullish(),
});

type Pull = z.output<typeof pullShape>;

/** The event of a pull request for each action. */
const told: Readonly<Record<string, (pull: Pull) => ActorEvent>> = {
  synchronize: ({ head }) => ({ type: 'COMMITS_PUSHED', head: head.sha }),
  closed: ({ merged }) => ({ type: merged ? 'MERGED' : 'CLOSED' }),
  reopened: () => ({ type: 'REOPENED' }),
  ready_for_review: () => ({ type: 'READY_FOR_REVIEW' }),
  converted_to_draft: () => ({ type: 'CONVERTED_TO_DRAFT' }),
};

export function readPull(body: JsonObject): PullNews {
  const { action, pull_request: pull, repository, label } = parse(pullEvent, body);
  const place = placeOf(repository);
  const key = keyOf('pull_request', action, pull.id, pull.updated_at, pull.head.sha, label?.name ?? '');
  const order = orderOf(pull.updated_at, key);
  const issue = findIssue(pull, repository.full_name);
  const mayName = action === 'opened' || action === 'edited';
  const about = Object.hasOwn(told, action) ? told[action]?.(pull) : undefined;
  const linked = mayName && issue !== undefined ? { type: 'CONFIGURED', issue } : undefined;
  return {
    about: 'pull_request',
    place,
    event: `pull_request.${action}`,
    subjects: [
      {
        ref: `${place.repo}#${pull.number}`,
        labels: action === 'labeled' && label ? [label.name] : pull.labels.map(({ name }) => name),
        author: pull.user?.login ?? null,
        issue: issue ?? null,
        head: pull.head.sha,
        draft: pull.draft,
      },
    ],
    tell: [about, linked].flatMap((event) => (event ? [{ ...event, order }] : [])),
    opens: false,
    key,
  };
}

/** After the word: `#12`, `acme/shop#12`, `ENG-42`, or the id of an issue of Helve. */
const closing =
  /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+(?:(?<repo>[\w.-]+\/[\w.-]+)?#(?<number>\d{1,10})|(?<linear>[A-Z][A-Z0-9]{0,19}-\d{1,10})|(?<own>iss_[0-9a-f-]{36}))\b/gi;

/**
 * The issue that a pull request says it closes. Only who may write to the repository can say so: its checks then decide about the
 * issue, and a stranger's fork would have checks of the stranger. For the same reason it can name no issue of another repository.
 */
function findIssue({ title, body, head }: Pull, repository: string): string | undefined {
  if (head.repo?.full_name !== repository) return undefined;
  for (const { groups: found = {} } of `${title}\n${body ?? ''}`.matchAll(closing)) {
    if (found.linear !== undefined) return `linear:${found.linear.toUpperCase()}`;
    if (found.own !== undefined) return found.own;
    if ((found.repo ?? repository).toLowerCase() === repository.toLowerCase())
      return `github:${repository}#${found.number}`;
  }
  return undefined;
}

const reviewEvent = z.object({
  action: z.string(),
  review: z.object({
    id: z.number(),
    state: z.string(),
    user: userShape.nullish(),
    submitted_at: z.string().nullish(),
    commit_id: z.string().nullish(),
    author_association: z.string().default('NONE'),
  }),
  pull_request: z.object({ number: z.number(), updated_at: z.string() }),
  repository: repositoryShape,
});

const verdicts = new Set(['approved', 'changes_requested', 'commented', 'dismissed']);

export function readReview(body: JsonObject): PullNews | undefined {
  const { action, review, pull_request: pull, repository } = parse(reviewEvent, body);
  const verdict = action === 'dismissed' ? action : review.state.toLowerCase();
  if (!['submitted', 'dismissed'].includes(action) || !verdicts.has(verdict)) return undefined;
  // Anybody may review what is public.
  if (action === 'submitted' && !association.isTrusted(review.author_association)) return undefined;
  const place = placeOf(repository);
  // A review keeps its time when it is dismissed.
  const at = action === 'dismissed' ? pull.updated_at : (review.submitted_at ?? pull.updated_at);
  const key = keyOf('pull_request_review', action, review.id, at, verdict);
  const reviewer = review.user?.login ?? 'ghost';
  const event = { type: 'REVIEW_SUBMITTED', reviewer, verdict, ...defined({ head: review.commit_id ?? undefined }) };
  return {
    about: 'pull_request',
    place,
    event: `pull_request_review.${action}`,
    subjects: [{ ref: `${place.repo}#${pull.number}` }],
    tell: [{ ...event, order: orderOf(at, key) }],
    opens: false,
    key,
  };
}

const checkShape = z.object({
  id: z.number(),
  name: z.string().optional(),
  head_sha: z.string(),
  status: z.string().nullish(),
  conclusion: z.string().nullish(),
  started_at: z.string().nullish(),
  completed_at: z.string().nullish(),
  created_at: z.string().nullish(),
  updated_at: z.string().nullish(),
  app: z.object({ name: z.string() }).nullish(),
  pull_requests: z.array(z.object({ number: z.number(), base: z.object({ repo: z.object({ url: z.string() }) }) })),
});

const checkEvent = z.object({
  action: z.string(),
  check_run: checkShape.optional(),
  check_suite: checkShape.optional(),
  repository: repositoryShape.extend({ url: z.string() }),
});

/** What is known of a check, by a delivery or by reading it. */
export type CheckFacts = Pick<
  z.output<typeof checkShape>,
  'id' | 'status' | 'conclusion' | 'started_at' | 'completed_at'
> &
  Partial<Pick<z.output<typeof checkShape>, 'created_at' | 'updated_at'>>;

export const maxCheckName = 200;

export function readChecks(body: JsonObject): PullNews | undefined {
  const { action, check_run: run, check_suite: suite, repository } = parse(checkEvent, body);
  const check = run ?? suite;
  // A requested suite says nothing, because the app may never run it.
  if (check === undefined || (suite && action !== 'completed')) return undefined;
  if (!['created', 'completed', 'rerequested'].includes(action)) return undefined;
  const place = placeOf(repository);
  const name = run?.name ?? `all of ${check.app?.name ?? 'an app'}`;
  const key = keyOf(run ? 'check_run' : 'check_suite', action, check.id, timesOf(check), String(check.conclusion));
  // The same commit can be in pull requests of other repositories.
  const here = check.pull_requests.filter(({ base }) => pathOf(base.repo.url) === pathOf(repository.url));
  const event = {
    type: 'CHECK_UPDATED',
    name: name.slice(0, maxCheckName),
    state: action === 'rerequested' ? 'pending' : readCheckState(check),
    head: check.head_sha,
  };
  return {
    about: 'pull_request',
    place,
    event: `${run ? 'check_run' : 'check_suite'}.${action}`,
    subjects: here.map(({ number }) => ({ ref: `${place.repo}#${number}`, ...defined({ head: check.head_sha }) })),
    tell: [{ ...event, order: orderOf(timesOf(check), key) }],
    opens: true,
    key,
  };
}

/** Repositories are written as `/repos/acme/shop` or by number; one body uses one form, with or without `api.` in front. */
const pathOf = (url: string): string => url.split('/').slice(-2).join('/').toLowerCase();

export function readCheckState({ status, conclusion }: CheckFacts): 'pending' | 'success' | 'failure' | 'neutral' {
  if (status !== 'completed') return 'pending';
  if (conclusion === 'success') return 'success';
  return conclusion === 'neutral' || conclusion === 'skipped' ? 'neutral' : 'failure';
}

/** Sorts the states of one check: it starts, and ends; a later run of it starts later. */
export function timesOf(check: CheckFacts): string {
  const { id, status, started_at, completed_at, created_at, updated_at } = check;
  const begun = started_at ?? created_at ?? '';
  const ended = completed_at ?? (status === 'completed' ? updated_at : undefined) ?? '';
  return `${begun}/${String(id).padStart(20, '0')}/${status === 'completed' ? 1 : 0}/${ended}`;
}
