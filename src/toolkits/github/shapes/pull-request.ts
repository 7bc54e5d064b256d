/** Pull requests, their reviews and the comments on their lines. */
import { z } from 'zod';
import { orUndefined } from '../requests.js';
import { author, loginOf, loginsOf, type RawUser, time } from './people.js';

interface RawSide {
  readonly ref: string;
  readonly sha: string;
  readonly label?: string;
  readonly repo?: { readonly full_name: string } | null;
}

export interface RawPullRequest {
  readonly number: number;
  readonly title: string;
  readonly state: string;
  readonly draft?: boolean;
  readonly merged?: boolean;
  readonly merged_at: string | null;
  readonly merge_commit_sha: string | null;
  readonly mergeable?: boolean | null;
  readonly mergeable_state?: string;
  readonly html_url: string;
  readonly user: RawUser | null;
  readonly labels: readonly { readonly name: string }[];
  readonly assignees?: readonly RawUser[] | null;
  readonly requested_reviewers?: readonly RawUser[] | null;
  readonly requested_teams?: readonly { readonly slug: string }[] | null;
  readonly head: RawSide;
  readonly base: RawSide;
  readonly body: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly closed_at: string | null;
  readonly commits?: number;
  readonly additions?: number;
  readonly deletions?: number;
  readonly changed_files?: number;
  readonly comments?: number;
  readonly review_comments?: number;
}

const side = z.strictObject({
  ref: z.string().describe('Branch'),
  sha: z.string(),
  repository: z.string().optional().describe('owner/name; absent when it was deleted'),
});
const summary = {
  number: z.int(),
  title: z.string(),
  state: z.string().describe('open or closed'),
  draft: z.boolean().optional(),
  merged: z.boolean(),
  url: z.string(),
  author,
  labels: z.array(z.string()),
  assignees: z.array(z.string()),
  requested_reviewers: z.array(z.string()),
  requested_teams: z.array(z.string()),
  head: side,
  base: side,
  created_at: time,
  updated_at: time,
  closed_at: time.optional(),
  merged_at: time.optional(),
};
export const pullRequestSummaryShape = z.strictObject(summary);
export const pullRequestShape = z.strictObject({
  ...summary,
  body: z.string().optional(),
  mergeable: z.boolean().optional().describe('Absent while GitHub still works it out: ask again'),
  mergeable_state: z.string().optional().describe('clean, blocked, behind, dirty, unstable…'),
  merge_commit_sha: z.string().optional(),
  commits: z.int().optional(),
  changed_files: z.int().optional(),
  additions: z.int().optional(),
  deletions: z.int().optional(),
  comments: z.int().optional(),
  review_comments: z.int().optional(),
});

const toSide = ({ ref, sha, repo }: RawSide) => ({ ref, sha, repository: repo?.full_name });

export function toPullRequestSummary(raw: RawPullRequest): z.input<typeof pullRequestSummaryShape> {
  return {
    number: raw.number,
    title: raw.title,
    state: raw.state,
    draft: raw.draft,
    merged: raw.merged ?? raw.merged_at !== null,
    url: raw.html_url,
    author: loginOf(raw.user),
    labels: raw.labels.map(({ name }) => name),
    assignees: loginsOf(raw.assignees),
    requested_reviewers: loginsOf(raw.requested_reviewers),
    requested_teams: (raw.requested_teams ?? []).map(({ slug }) => slug),
    head: toSide(raw.head),
    base: toSide(raw.base),
    created_at: raw.created_at,
    updated_at: raw.updated_at,
    closed_at: orUndefined(raw.closed_at),
    merged_at: orUndefined(raw.merged_at),
  };
}

export function toPullRequest(raw: RawPullRequest): z.input<typeof pullRequestShape> {
  const { commits, changed_files, additions, deletions, comments, review_comments, mergeable_state } = raw;
  return {
    ...toPullRequestSummary(raw),
    body: orUndefined(raw.body),
    mergeable: orUndefined(raw.mergeable),
    merge_commit_sha: orUndefined(raw.merge_commit_sha),
    commits,
    changed_files,
    additions,
    deletions,
    comments,
    review_comments,
    mergeable_state,
  };
}
