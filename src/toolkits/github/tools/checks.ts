/** Results of programs for a commit: check runs, which only Apps create, and statuses, which any account can set. */

import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { defineRecord, from, listFrom } from '../../../util/record.js';
import { withNextPage } from '../answers.js';
import { defineGitHubRequest } from '../define-tool.js';
import { paging, ref, repository, sha, since } from '../inputs.js';
import { checkRunRecord, statusRecord } from '../shapes/check.js';

const link = z
  .string()
  .max(2_048)
  .regex(/^https?:\/\/[^\s]+$/);

export const listCheckRuns = defineGitHubRequest({
  name: 'list_check_runs',
  title: 'List check runs',
  description: 'The checks that ran on a commit (GitHub Actions and other Apps) and how they ended.',
  inputSchema: z.strictObject({
    ...repository,
    ref,
    check_name: z.string().min(1).max(255).optional(),
    status: z.enum(['queued', 'in_progress', 'completed']).optional(),
    filter: z.enum(['latest', 'all']).optional().describe('Default latest'),
    ...paging,
  }),
  annotations: effects.reads,
  capabilities: ['list checks', 'get ci status'],
  request: 'GET /repos/{owner}/{repo}/commits/{ref}/check-runs',
  answer: withNextPage(
    defineRecord({ total: from('total_count', z.int()), check_runs: listFrom('check_runs', checkRunRecord) }),
  ),
});

export const getCombinedStatus = defineGitHubRequest({
  name: 'get_combined_status',
  title: 'Get the status of a commit',
  description: 'The statuses of a commit and what they come to. Check runs are not among them: list_check_runs.',
  inputSchema: z.strictObject({ ...repository, ref, ...paging }),
  annotations: effects.reads,
  scopes: ['repo:status'],
  capabilities: ['get commit status', 'get ci status'],
  request: 'GET /repos/{owner}/{repo}/commits/{ref}/status',
  answer: withNextPage(
    defineRecord({
      state: z.string().describe('failure, pending or success; pending too when there is no status'),
      sha: z.string(),
      total: from('total_count', z.int()),
      statuses: listFrom('statuses', statusRecord),
    }),
  ),
});

export const createCommitStatus = defineGitHubRequest({
  name: 'create_commit_status',
  title: 'Set a status on a commit',
  description: 'Say on a commit how something went. A later status with the same context stands in for it.',
  inputSchema: z.strictObject({
    ...repository,
    sha,
    state: z.enum(['error', 'failure', 'pending', 'success']),
    context: z.string().min(1).max(255).optional().describe('What it is about: ci/lint. Default: default'),
    description: z.string().max(140).optional(),
    target_url: link.optional(),
  }),
  annotations: effects.creates,
  scopes: ['repo:status'],
  capabilities: ['create commit status', 'set commit status'],
  request: 'POST /repos/{owner}/{repo}/statuses/{sha}',
  answer: statusRecord,
});

export const createCheckRun = defineGitHubRequest({
  name: 'create_check_run',
  title: 'Create a check run',
  description: 'Report a check on a commit. Only GitHub Apps may; with other accounts use create_commit_status.',
  inputSchema: z.strictObject({
    ...repository,
    name: z.string().min(1).max(255),
    head_sha: sha,
    status: z.enum(['queued', 'in_progress', 'completed']).optional().describe('Left out when there is a conclusion'),
    conclusion: z
      .enum(['action_required', 'cancelled', 'failure', 'neutral', 'success', 'skipped', 'timed_out'])
      .optional(),
    started_at: since.optional(),
    completed_at: since.optional(),
    details_url: link.optional(),
    external_id: z.string().max(255).optional(),
    output: z
      .strictObject({
        title: z.string().max(255),
        summary: z.string().max(65_535),
        text: z.string().max(65_535).optional(),
      })
      .optional()
      .describe('summary and text are Markdown'),
  }),
  annotations: effects.creates,
  capabilities: ['create check'],
  request: 'POST /repos/{owner}/{repo}/check-runs',
  parameters: (run) => (run.conclusion === undefined ? run : { ...run, status: 'completed' }),
  answer: checkRunRecord,
});
