/** Pull requests. */
import { z } from 'zod';
import { computed, defineRecord, from } from '../../../util/record.js';
import { authorFrom, namesFrom, optionalTextFrom, time, url } from './people.js';

const side = defineRecord({
  ref: z.string().describe('Branch'),
  sha: z.string(),
  repository: from('repo.full_name', z.string().optional().describe('owner/name; absent when it was deleted')),
});

export const requestedReviewersRecord = defineRecord({
  requested_reviewers: namesFrom('requested_reviewers', 'login'),
  requested_teams: namesFrom('requested_teams', 'slug'),
});

export const pullRequestSummaryRecord = defineRecord({
  number: z.int(),
  title: z.string(),
  state: z.string().describe('open or closed'),
  draft: z.boolean().optional(),
  // Lists have only the time of the merge.
  merged: computed(
    z.boolean(),
    (raw: { merged?: boolean; merged_at?: string | null }) => raw.merged ?? typeof raw.merged_at === 'string',
  ),
  url,
  author: authorFrom('user'),
  labels: from('labels', z.array(z.string()), (labels: readonly { name: string }[]) => labels.map(({ name }) => name)),
  assignees: namesFrom('assignees', 'login'),
  ...requestedReviewersRecord.fields,
  head: from('head', side.shape, side.read),
  base: from('base', side.shape, side.read),
  created_at: time,
  updated_at: time,
  closed_at: time.optional(),
  merged_at: time.optional(),
});

export const pullRequestRecord = defineRecord({
  ...pullRequestSummaryRecord.fields,
  body: optionalTextFrom('body'),
  mergeable: z.boolean().optional().describe('Absent while GitHub is still computing it: call again'),
  mergeable_state: z.string().optional().describe('clean, blocked, behind, dirty, unstable…'),
  merge_commit_sha: z.string().optional(),
  commits: z.int().optional(),
  changed_files: z.int().optional(),
  additions: z.int().optional(),
  deletions: z.int().optional(),
  comments: z.int().optional(),
  review_comments: z.int().optional(),
});
