/** Runs of GitHub Actions and their jobs. */

import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { defineRecord, from, listFrom } from '../../../util/record.js';
import { withNextPage } from '../answers.js';
import { defineGitHubRequest } from '../define-tool.js';
import { branch, login, paging, repository, sha } from '../inputs.js';
import { jobRecord, workflowRunRecord } from '../shapes/check.js';

export const listWorkflowRuns = defineGitHubRequest({
  name: 'list_workflow_runs',
  title: 'List workflow runs',
  description: 'Runs of GitHub Actions in a repository, newest first.',
  inputSchema: z.strictObject({
    ...repository,
    branch: branch.optional(),
    head_sha: sha.optional(),
    event: z.string().min(1).max(100).optional().describe('push, pull_request, schedule…'),
    status: z
      .enum(['queued', 'in_progress', 'completed', 'success', 'failure', 'cancelled', 'timed_out', 'action_required'])
      .optional()
      .describe('Status or conclusion'),
    actor: login.optional(),
    ...paging,
  }),
  annotations: effects.reads,
  capabilities: ['list workflow runs', 'get ci status'],
  request: 'GET /repos/{owner}/{repo}/actions/runs',
  answer: withNextPage(
    defineRecord({ total: from('total_count', z.int()), runs: listFrom('workflow_runs', workflowRunRecord) }),
  ),
});

export const listWorkflowRunJobs = defineGitHubRequest({
  name: 'list_workflow_run_jobs',
  title: 'List the jobs of a workflow run',
  description: 'The jobs of one run of GitHub Actions and their steps: which one failed.',
  inputSchema: z.strictObject({
    ...repository,
    run_id: z.int().min(1).describe('Id of the run, as list_workflow_runs shows it'),
    filter: z.enum(['latest', 'all']).optional().describe('Of the attempts. Default latest'),
    ...paging,
  }),
  annotations: effects.reads,
  capabilities: ['list workflow jobs'],
  request: 'GET /repos/{owner}/{repo}/actions/runs/{run_id}/jobs',
  answer: withNextPage(defineRecord({ total: from('total_count', z.int()), jobs: listFrom('jobs', jobRecord) })),
});
