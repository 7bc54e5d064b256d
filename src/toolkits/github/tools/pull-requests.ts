/** Pull requests and their changes; merging is in `merge-pull-request.ts`. */

import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { definePage } from '../answers.js';
import { defineGitHubRequest } from '../define-tool.js';
import {
  branch,
  crossRef,
  direction,
  markdown,
  markedText,
  openOrClosed,
  paging,
  pullRequest,
  repository,
  requireChange,
  title,
} from '../inputs.js';
import { changedFileRecord, commitRecord } from '../shapes/commit.js';
import { pullRequestRecord, pullRequestSummaryRecord } from '../shapes/pull-request.js';

export const listPullRequests = defineGitHubRequest({
  name: 'list_pull_requests',
  title: 'List pull requests',
  description: 'Pull requests of a repository, without their texts.',
  inputSchema: z.strictObject({
    ...repository,
    state: openOrClosed,
    head: crossRef.optional().describe('Only those of this branch, as owner:branch'),
    base: branch.optional().describe('Only those into this branch'),
    sort: z.enum(['created', 'updated', 'popularity', 'long-running']).optional(),
    direction,
    ...paging,
  }),
  annotations: effects.reads,
  capabilities: ['list pull requests'],
  request: 'GET /repos/{owner}/{repo}/pulls',
  answer: definePage('pull_requests', pullRequestSummaryRecord),
});

export const getPullRequest = defineGitHubRequest({
  name: 'get_pull_request',
  title: 'Get a pull request',
  description: 'One pull request with its text, its size and whether it can be merged.',
  inputSchema: z.strictObject({ ...pullRequest }),
  annotations: effects.reads,
  capabilities: ['get pull request'],
  request: 'GET /repos/{owner}/{repo}/pulls/{pull_number}',
  answer: pullRequestRecord,
});

export const createPullRequest = defineGitHubRequest({
  name: 'create_pull_request',
  title: 'Create a pull request',
  description: 'Ask to merge one branch into another. Both must exist, and head must have commits that base has not.',
  inputSchema: z.strictObject({
    ...repository,
    title,
    head: crossRef.describe('Branch with the changes; user:branch for one of a fork'),
    base: branch.describe('Branch to merge into: main'),
    body: markedText.optional(),
    draft: z.boolean().optional(),
    maintainer_can_modify: z.boolean().optional().describe('Of a fork’s branch'),
  }),
  annotations: effects.creates,
  capabilities: ['create pull request', 'open pull request'],
  examples: [{ input: { owner: 'octocat', repo: 'hello-world', title: 'Fix typo', head: 'fix/typo', base: 'main' } }],
  request: 'POST /repos/{owner}/{repo}/pulls',
  answer: pullRequestRecord,
  marked: () => ({
    list: 'GET /repos/{owner}/{repo}/pulls',
    query: { state: 'all', sort: 'created', direction: 'desc' },
    newestFirst: true,
  }),
});

export const updatePullRequest = defineGitHubRequest({
  name: 'update_pull_request',
  title: 'Update a pull request',
  description: 'Change title, text or base of a pull request, close it or open it again. Labels: as on issues.',
  inputSchema: z.strictObject({
    ...pullRequest,
    title: title.optional(),
    body: markdown.optional(),
    state: z.enum(['open', 'closed']).optional(),
    base: branch.optional(),
  }),
  annotations: effects.replaces,
  capabilities: ['update pull request', 'close pull request'],
  request: 'PATCH /repos/{owner}/{repo}/pulls/{pull_number}',
  parameters: (changes) => requireChange(changes, 'title, body, state, base'),
  // An update only sets values, so it can be repeated.
  repeatable: true,
  answer: pullRequestRecord,
});

export const listPullRequestFiles = defineGitHubRequest({
  name: 'list_pull_request_files',
  title: 'List changed files',
  description: 'The files that a pull request changes, with their patches.',
  inputSchema: z.strictObject({ ...pullRequest, ...paging }),
  annotations: effects.reads,
  capabilities: ['list changed files', 'get diff'],
  request: 'GET /repos/{owner}/{repo}/pulls/{pull_number}/files',
  answer: definePage('files', changedFileRecord),
});

export const listPullRequestCommits = defineGitHubRequest({
  name: 'list_pull_request_commits',
  title: 'List the commits of a pull request',
  description: 'The commits of a pull request, at most 250.',
  inputSchema: z.strictObject({ ...pullRequest, ...paging }),
  annotations: effects.reads,
  capabilities: ['list commits'],
  request: 'GET /repos/{owner}/{repo}/pulls/{pull_number}/commits',
  answer: definePage('commits', commitRecord),
});
