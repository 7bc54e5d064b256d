/** What machines say of a commit: check runs of Apps, and the plain statuses that any account may set. */

import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { defineGitHubTool } from '../define-tool.js';
import { nextPage, paging, ref, repository, sha, since } from '../inputs.js';
import { getPage, repoPath } from '../requests.js';
import { checkRunShape, type RawCheckRun, type RawStatus, statusShape, toCheckRun, toStatus } from '../shapes/check.js';

const link = z
  .string()
  .max(2_048)
  .regex(/^https?:\/\/[^\s]+$/);

export const listCheckRuns = defineGitHubTool({
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
  outputSchema: z.strictObject({ total: z.int(), check_runs: z.array(checkRunShape), ...nextPage }),
  annotations: effects.reads,
  scopes: ['repo'],
  capabilities: ['list checks', 'get ci status'],
  async execute({ owner, repo, ref, ...query }, { service }) {
    type Raw = { readonly total_count: number; readonly check_runs: readonly RawCheckRun[] };
    const path = repoPath({ owner, repo }, 'commits', ref, 'check-runs');
    const { body, next_page } = await getPage<Raw>(service, path, query);
    return { total: body.total_count, check_runs: body.check_runs.map(toCheckRun), next_page };
  },
});

export const getCombinedStatus = defineGitHubTool({
  name: 'get_combined_status',
  title: 'Get the status of a commit',
  description: 'The statuses of a commit and what they come to. Check runs are not among them: list_check_runs.',
  inputSchema: z.strictObject({ ...repository, ref, ...paging }),
  outputSchema: z.strictObject({
    state: z.string().describe('failure, pending or success; pending too when there is no status'),
    sha: z.string(),
    total: z.int(),
    statuses: z.array(statusShape),
    ...nextPage,
  }),
  annotations: effects.reads,
  scopes: ['repo:status'],
  capabilities: ['get commit status', 'get ci status'],
  async execute({ owner, repo, ref, ...query }, { service }) {
    interface Raw {
      readonly state: string;
      readonly sha: string;
      readonly total_count: number;
      readonly statuses: readonly RawStatus[];
    }
    const path = repoPath({ owner, repo }, 'commits', ref, 'status');
    const { body, next_page } = await getPage<Raw>(service, path, query);
    const { state, sha, total_count: total, statuses } = body;
    return { state, sha, total, statuses: statuses.map(toStatus), next_page };
  },
});

export const createCommitStatus = defineGitHubTool({
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
  outputSchema: statusShape,
  annotations: effects.creates,
  scopes: ['repo:status'],
  capabilities: ['create commit status', 'set commit status'],
  async execute({ owner, repo, sha, ...json }, { service }) {
    const path = repoPath({ owner, repo }, 'statuses', sha);
    return toStatus(await service.json<RawStatus>({ method: 'POST', path, json }));
  },
});

export const createCheckRun = defineGitHubTool({
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
  outputSchema: checkRunShape,
  annotations: effects.creates,
  scopes: ['repo'],
  capabilities: ['create check'],
  async execute({ owner, repo, ...input }, { service }) {
    const path = repoPath({ owner, repo }, 'check-runs');
    const json = input.conclusion === undefined ? input : { ...input, status: 'completed' };
    return toCheckRun(await service.json<RawCheckRun>({ method: 'POST', path, json }));
  },
});
