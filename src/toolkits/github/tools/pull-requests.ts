/** Pull requests and what they change. Merging has a file of its own. */

import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { HelveError } from '../../../domain/errors.js';
import { defineGitHubTool } from '../define-tool.js';
import { branch, crossRef, direction, markdown, pageOf, paging, pullNumber, repository, title } from '../inputs.js';
import { getPage, repoPath } from '../requests.js';
import {
  changedFileShape,
  commitShape,
  type RawChangedFile,
  type RawCommit,
  toChangedFile,
  toCommit,
} from '../shapes/commit.js';
import {
  pullRequestShape,
  pullRequestSummaryShape,
  type RawPullRequest,
  toPullRequest,
  toPullRequestSummary,
} from '../shapes/pull-request.js';

export const listPullRequests = defineGitHubTool({
  name: 'list_pull_requests',
  title: 'List pull requests',
  description: 'Pull requests of a repository, without their texts.',
  inputSchema: z.strictObject({
    ...repository,
    state: z.enum(['open', 'closed', 'all']).optional().describe('Default open'),
    head: crossRef.optional().describe('Only those of this branch, as owner:branch'),
    base: branch.optional().describe('Only those into this branch'),
    sort: z.enum(['created', 'updated', 'popularity', 'long-running']).optional(),
    direction,
    ...paging,
  }),
  outputSchema: pageOf('pull_requests', pullRequestSummaryShape),
  annotations: effects.reads,
  scopes: ['repo'],
  capabilities: ['list pull requests'],
  async execute({ owner, repo, ...query }, { service }) {
    const path = repoPath({ owner, repo }, 'pulls');
    const { body, next_page } = await getPage<readonly RawPullRequest[]>(service, path, query);
    return { pull_requests: body.map(toPullRequestSummary), next_page };
  },
});

export const getPullRequest = defineGitHubTool({
  name: 'get_pull_request',
  title: 'Get a pull request',
  description: 'One pull request with its text, its size and whether it can be merged.',
  inputSchema: z.strictObject({ ...repository, pull_number: pullNumber }),
  outputSchema: pullRequestShape,
  annotations: effects.reads,
  scopes: ['repo'],
  capabilities: ['get pull request'],
  async execute({ pull_number, ...input }, { service }) {
    return toPullRequest(await service.json<RawPullRequest>({ path: repoPath(input, 'pulls', pull_number) }));
  },
});

export const createPullRequest = defineGitHubTool({
  name: 'create_pull_request',
  title: 'Create a pull request',
  description: 'Ask to merge one branch into another. Both must exist, and head must have commits that base has not.',
  inputSchema: z.strictObject({
    ...repository,
    title,
    head: crossRef.describe('Branch with the changes; user:branch for one of a fork'),
    base: branch.describe('Branch to merge into: main'),
    body: markdown.optional(),
    draft: z.boolean().optional(),
    maintainer_can_modify: z.boolean().optional().describe('Of a fork’s branch'),
  }),
  outputSchema: pullRequestShape,
  annotations: effects.creates,
  scopes: ['repo'],
  capabilities: ['create pull request', 'open pull request'],
  examples: [{ input: { owner: 'octocat', repo: 'hello-world', title: 'Fix typo', head: 'fix/typo', base: 'main' } }],
  async execute({ owner, repo, ...json }, { service }) {
    const path = repoPath({ owner, repo }, 'pulls');
    return toPullRequest(await service.json<RawPullRequest>({ method: 'POST', path, json }));
  },
});

export const updatePullRequest = defineGitHubTool({
  name: 'update_pull_request',
  title: 'Update a pull request',
  description: 'Change title, text or base of a pull request, close it or open it again. Labels: as on issues.',
  inputSchema: z.strictObject({
    ...repository,
    pull_number: pullNumber,
    title: title.optional(),
    body: markdown.optional(),
    state: z.enum(['open', 'closed']).optional(),
    base: branch.optional(),
  }),
  outputSchema: pullRequestShape,
  annotations: effects.replaces,
  scopes: ['repo'],
  capabilities: ['update pull request', 'close pull request'],
  async execute({ owner, repo, pull_number, ...json }, { service }) {
    if (Object.keys(json).length === 0) {
      throw new HelveError('invalid_input', 'There is nothing to change', {
        hint: 'Give at least one of title, body, state, base.',
      });
    }
    const path = repoPath({ owner, repo }, 'pulls', pull_number);
    // Everything is set to a value: setting it twice is setting it once.
    return toPullRequest(await service.json<RawPullRequest>({ method: 'PATCH', path, json, repeatable: true }));
  },
});

export const listPullRequestFiles = defineGitHubTool({
  name: 'list_pull_request_files',
  title: 'List changed files',
  description: 'The files that a pull request changes, with their patches.',
  inputSchema: z.strictObject({ ...repository, pull_number: pullNumber, ...paging }),
  outputSchema: pageOf('files', changedFileShape),
  annotations: effects.reads,
  scopes: ['repo'],
  capabilities: ['list changed files', 'get diff'],
  async execute({ owner, repo, pull_number, ...query }, { service }) {
    const path = repoPath({ owner, repo }, 'pulls', pull_number, 'files');
    const { body, next_page } = await getPage<readonly RawChangedFile[]>(service, path, query);
    return { files: body.map(toChangedFile), next_page };
  },
});

export const listPullRequestCommits = defineGitHubTool({
  name: 'list_pull_request_commits',
  title: 'List the commits of a pull request',
  description: 'The commits of a pull request, at most 250.',
  inputSchema: z.strictObject({ ...repository, pull_number: pullNumber, ...paging }),
  outputSchema: pageOf('commits', commitShape),
  annotations: effects.reads,
  scopes: ['repo'],
  capabilities: ['list commits'],
  async execute({ owner, repo, pull_number, ...query }, { service }) {
    const path = repoPath({ owner, repo }, 'pulls', pull_number, 'commits');
    const { body, next_page } = await getPage<readonly RawCommit[]>(service, path, query);
    return { commits: body.map(toCommit), next_page };
  },
});
