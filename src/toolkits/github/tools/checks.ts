/** Results of programs for a commit: check runs, which only Apps create, and statuses, which any account can set. */

import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { HelveError } from '../../../domain/errors.js';
import { defined } from '../../../util/defined.js';
import { fillRequest } from '../../../util/fill-request.js';
import { defineRecord, from, listFrom } from '../../../util/record.js';
import { withNextPage } from '../answers.js';
import { defineGitHubRequest, defineGitHubTool } from '../define-tool.js';
import { paging, ref, repository, sha, since } from '../inputs.js';
import { earliest, findCreated } from '../marker.js';
import { send } from '../requests.js';
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

interface RawStatus {
  readonly context: string;
  readonly state: string;
  readonly description?: string | null;
  readonly target_url?: string | null;
  readonly created_at: string;
}

export const createCommitStatus = defineGitHubRequest({
  name: 'create_commit_status',
  title: 'Set a status on a commit',
  description: 'Say on a commit how something went. A later status with the same context takes its place.',
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
  idempotency: { by: 'probe', how: 'Of a context only the last status counts: if it says the same since, it was set' },
  async probe({ state, context = 'default', description, target_url, ...input }, { service }, startedAt) {
    const list = 'GET /repos/{owner}/{repo}/commits/{sha}/statuses';
    const since = earliest(startedAt);
    const search = { list, query: {}, newestFirst: true, input, since };
    const last = await findCreated<RawStatus>(service, search, (status) => status.context === context);
    const isSame =
      last?.state === state &&
      (last.description ?? '') === (description ?? '') &&
      (last.target_url ?? '') === (target_url ?? '') &&
      Date.parse(last.created_at) >= Date.parse(since);
    return isSame ? statusRecord.read(last) : undefined;
  },
});

interface RawCheckRun {
  readonly external_id?: string | null;
}

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
  annotations: effects.creates,
  capabilities: ['create check'],
  outputSchema: checkRunRecord.shape,
  idempotency: { by: 'probe', how: 'Its external_id names the call, unless the caller gives one' },
  async execute(run, { service, effectKey }) {
    const status = run.conclusion === undefined ? run.status : 'completed';
    const input = { external_id: effectKey, ...run, ...defined({ status }) };
    const made = await send(service, { request: 'POST /repos/{owner}/{repo}/check-runs', input });
    return checkRunRecord.read(made.json());
  },
  async probe({ name, head_sha, external_id, ...input }, { service, effectKey }) {
    if (external_id !== undefined)
      throw new HelveError('outcome_unknown', 'The check has an external_id of the caller, which may have several');
    const { path } = fillRequest('GET /repos/{owner}/{repo}/commits/{head_sha}/check-runs', { ...input, head_sha });
    const query = { check_name: name, filter: 'all', per_page: 100 };
    const { check_runs } = await service.json<{ readonly check_runs: readonly RawCheckRun[] }>({ path, query });
    const found = check_runs.find((one) => one.external_id === effectKey);
    if (found || check_runs.length < 100) return found && checkRunRecord.read(found);
    throw new HelveError('outcome_unknown', 'The commit has too many checks of this name to look through');
  },
});
