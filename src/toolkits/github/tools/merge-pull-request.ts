import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import type { ServiceClient } from '../../../domain/service.js';
import { fillRequest } from '../../../util/fill-request.js';
import { defineRecord } from '../../../util/record.js';
import { defineGitHubTool } from '../define-tool.js';
import { pullRequest, sha } from '../inputs.js';
import { send, writeOnce } from '../requests.js';

const mergeRecord = defineRecord({ merged: z.boolean(), sha: z.string().optional(), message: z.string() });

/** GitHub refuses to merge twice (405), so after a lost answer the pull request itself is read. */
export const mergePullRequest = defineGitHubTool({
  name: 'merge_pull_request',
  title: 'Merge a pull request',
  description: 'Merge a pull request into its base. With sha only if its last commit is still that one.',
  inputSchema: z.strictObject({
    ...pullRequest,
    merge_method: z.enum(['merge', 'squash', 'rebase']).optional().describe('Default merge'),
    sha: sha.optional().describe('Of the last commit that was looked at (head.sha)'),
    commit_title: z.string().max(256).optional(),
    commit_message: z.string().max(65_536).optional(),
  }),
  outputSchema: mergeRecord.shape,
  annotations: effects.createsOnce,
  idempotency: { by: 'probe', how: 'GitHub merges a pull request once, and says whether it is merged' },
  capabilities: ['merge pull request'],
  examples: [{ input: { owner: 'octocat', repo: 'hello-world', pull_number: 8, merge_method: 'squash' } }],
  async execute(input, { service }) {
    return writeOnce(
      async () => {
        const request = 'PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge';
        return mergeRecord.read((await send(service, { request, input })).json());
      },
      () => findMerge(input, service),
    );
  },
  probe: (input, { service }) => findMerge(input, service),
});

async function findMerge(input: object, service: ServiceClient) {
  const { path } = fillRequest('GET /repos/{owner}/{repo}/pulls/{pull_number}', input);
  type Raw = { readonly merged?: boolean; readonly merge_commit_sha?: string | null };
  const { merged, merge_commit_sha: sha } = await service.json<Raw>({ path });
  const message = 'Merged; GitHub’s answer was lost, this was looked up';
  return merged === true ? mergeRecord.read({ merged, sha, message }) : undefined;
}
