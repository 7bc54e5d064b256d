/** Runs of GitHub Actions: what failed, and where. */

import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { defineGitHubTool } from '../define-tool.js';
import { branch, login, nextPage, paging, repository, sha } from '../inputs.js';
import { getPage, repoPath } from '../requests.js';
import { jobShape, type RawJob, type RawWorkflowRun, toJob, toWorkflowRun, workflowRunShape } from '../shapes/check.js';

export const listWorkflowRuns = defineGitHubTool({
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
  outputSchema: z.strictObject({ total: z.int(), runs: z.array(workflowRunShape), ...nextPage }),
  annotations: effects.reads,
  scopes: ['repo'],
  capabilities: ['list workflow runs', 'get ci status'],
  async execute({ owner, repo, ...query }, { service }) {
    type Raw = { readonly total_count: number; readonly workflow_runs: readonly RawWorkflowRun[] };
    const { body, next_page } = await getPage<Raw>(service, repoPath({ owner, repo }, 'actions', 'runs'), query);
    return { total: body.total_count, runs: body.workflow_runs.map(toWorkflowRun), next_page };
  },
});

export const listWorkflowRunJobs = defineGitHubTool({
  name: 'list_workflow_run_jobs',
  title: 'List the jobs of a workflow run',
  description: 'The jobs of one run of GitHub Actions and their steps: which one failed.',
  inputSchema: z.strictObject({
    ...repository,
    run_id: z.int().min(1).describe('Id of the run, as list_workflow_runs tells it'),
    filter: z.enum(['latest', 'all']).optional().describe('Of the attempts. Default latest'),
    ...paging,
  }),
  outputSchema: z.strictObject({ total: z.int(), jobs: z.array(jobShape), ...nextPage }),
  annotations: effects.reads,
  scopes: ['repo'],
  capabilities: ['list workflow jobs'],
  async execute({ owner, repo, run_id, ...query }, { service }) {
    type Raw = { readonly total_count: number; readonly jobs: readonly RawJob[] };
    const path = repoPath({ owner, repo }, 'actions', 'runs', run_id, 'jobs');
    const { body, next_page } = await getPage<Raw>(service, path, query);
    return { total: body.total_count, jobs: body.jobs.map(toJob), next_page };
  },
});
