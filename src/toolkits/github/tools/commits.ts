/** Commits: lists, one with its patches, and the difference between two. */

import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { defineRecord, from, listFrom, orElse } from '../../../util/record.js';
import { definePage, withNextPage } from '../answers.js';
import { defineGitHubRequest } from '../define-tool.js';
import { crossRef, paging, path, ref, repository, since } from '../inputs.js';
import { changedFileRecord, commitRecord } from '../shapes/commit.js';
import { url } from '../shapes/people.js';

const files = orElse(listFrom('files', changedFileRecord), []);

export const listCommits = defineGitHubRequest({
  name: 'list_commits',
  title: 'List commits',
  description: 'Commits of a branch, newest first; those of one path, author or time where asked.',
  inputSchema: z.strictObject({
    ...repository,
    ref: ref.optional().describe('Branch, tag or SHA to start from. Default: the default branch'),
    path: path.optional(),
    author: z.string().min(1).max(255).optional().describe('Login or e-mail address'),
    since: since.optional(),
    until: since.optional(),
    ...paging,
  }),
  annotations: effects.reads,
  capabilities: ['list commits'],
  request: 'GET /repos/{owner}/{repo}/commits',
  parameters: ({ ref, ...rest }) => ({ sha: ref, ...rest }),
  answer: definePage('commits', commitRecord),
});

export const getCommit = defineGitHubRequest({
  name: 'get_commit',
  title: 'Get a commit',
  description: 'One commit with what it changed, as patches.',
  inputSchema: z.strictObject({ ...repository, ref, ...paging }),
  annotations: effects.reads,
  capabilities: ['get commit'],
  request: 'GET /repos/{owner}/{repo}/commits/{ref}',
  answer: withNextPage(
    defineRecord({
      ...commitRecord.fields,
      additions: from('stats.additions', z.int().optional()),
      deletions: from('stats.deletions', z.int().optional()),
      files,
    }),
  ),
});

export const compareCommits = defineGitHubRequest({
  name: 'compare_commits',
  title: 'Compare two commits',
  description: 'What `head` has that `base` has not: commits and changed files (at most 300, on the first page).',
  inputSchema: z.strictObject({
    ...repository,
    base: crossRef.describe('Branch, tag, SHA, or user:branch of a fork'),
    head: crossRef.describe('Branch, tag, SHA, or user:branch of a fork'),
    ...paging,
  }),
  annotations: effects.reads,
  capabilities: ['compare commits', 'compare branches'],
  request: 'GET /repos/{owner}/{repo}/compare/{base}...{head}',
  answer: withNextPage(
    defineRecord({
      status: z.string().describe('ahead, behind, diverged or identical'),
      ahead_by: z.int(),
      behind_by: z.int(),
      total_commits: z.int(),
      url,
      commits: listFrom('commits', commitRecord),
      files,
    }),
  ),
});
