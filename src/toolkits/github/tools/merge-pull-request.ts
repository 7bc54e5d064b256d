import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { defineGitHubTool } from '../define-tool.js';
import { pullNumber, repository, sha } from '../inputs.js';
import { orUndefined, repoPath, writeOnce } from '../requests.js';
import type { RawPullRequest } from '../shapes/pull-request.js';

/** A merge of what is merged is refused (405): after a lost answer the pull request itself says whether it was done. */
export const mergePullRequest = defineGitHubTool({
  name: 'merge_pull_request',
  title: 'Merge a pull request',
  description: 'Merge a pull request into its base. With sha only if its last commit is still that one.',
  inputSchema: z.strictObject({
    ...repository,
    pull_number: pullNumber,
    merge_method: z.enum(['merge', 'squash', 'rebase']).optional().describe('Default merge'),
    sha: sha.optional().describe('Of the last commit that was looked at (head.sha)'),
    commit_title: z.string().max(256).optional(),
    commit_message: z.string().max(65_536).optional(),
  }),
  outputSchema: z.strictObject({ merged: z.boolean(), sha: z.string().optional(), message: z.string() }),
  annotations: effects.createsOnce,
  scopes: ['repo'],
  capabilities: ['merge pull request'],
  examples: [{ input: { owner: 'octocat', repo: 'hello-world', pull_number: 8, merge_method: 'squash' } }],
  async execute({ owner, repo, pull_number, ...json }, { service }) {
    const pull = repoPath({ owner, repo }, 'pulls', pull_number);
    return writeOnce(
      async () => {
        interface Raw {
          readonly merged: boolean;
          readonly sha: string | null;
          readonly message: string;
        }
        const path = `${pull}/merge`;
        const { merged, sha, message } = await service.json<Raw>({ method: 'PUT', path, json });
        return { merged, sha: orUndefined(sha), message };
      },
      async () => {
        const { merged, merge_commit_sha } = await service.json<RawPullRequest>({ path: pull });
        if (merged !== true) return undefined;
        return {
          merged,
          sha: orUndefined(merge_commit_sha),
          message: 'Merged; GitHub’s answer was lost, this was looked up',
        };
      },
    );
  },
});
