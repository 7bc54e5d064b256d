/** Commits: lists, one with its patches, and the way from one to another. */

import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { defineGitHubTool } from '../define-tool.js';
import { crossRef, nextPage, pageOf, paging, path, ref, repository, since } from '../inputs.js';
import { getPage, repoPath } from '../requests.js';
import {
  changedFileShape,
  commitShape,
  type RawChangedFile,
  type RawCommit,
  toChangedFile,
  toCommit,
} from '../shapes/commit.js';

export const listCommits = defineGitHubTool({
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
  outputSchema: pageOf('commits', commitShape),
  annotations: effects.reads,
  scopes: ['repo'],
  capabilities: ['list commits'],
  async execute({ owner, repo, ref, ...query }, { service }) {
    const address = repoPath({ owner, repo }, 'commits');
    const { body, next_page } = await getPage<readonly RawCommit[]>(service, address, { sha: ref, ...query });
    return { commits: body.map(toCommit), next_page };
  },
});

export const getCommit = defineGitHubTool({
  name: 'get_commit',
  title: 'Get a commit',
  description: 'One commit with what it changed, as patches.',
  inputSchema: z.strictObject({ ...repository, ref, ...paging }),
  outputSchema: z.strictObject({
    ...commitShape.shape,
    additions: z.int().optional(),
    deletions: z.int().optional(),
    files: z.array(changedFileShape),
    ...nextPage,
  }),
  annotations: effects.reads,
  scopes: ['repo'],
  capabilities: ['get commit'],
  async execute({ owner, repo, ref, ...query }, { service }) {
    type Raw = RawCommit & {
      readonly stats?: { readonly additions?: number; readonly deletions?: number };
      readonly files?: readonly RawChangedFile[];
    };
    const { body, next_page } = await getPage<Raw>(service, repoPath({ owner, repo }, 'commits', ref), query);
    const { additions, deletions } = body.stats ?? {};
    return { ...toCommit(body), additions, deletions, files: (body.files ?? []).map(toChangedFile), next_page };
  },
});

export const compareCommits = defineGitHubTool({
  name: 'compare_commits',
  title: 'Compare two commits',
  description: 'What `head` has that `base` has not: commits and changed files (at most 300, on the first page).',
  inputSchema: z.strictObject({
    ...repository,
    base: crossRef.describe('Branch, tag, SHA, or user:branch of a fork'),
    head: crossRef.describe('Branch, tag, SHA, or user:branch of a fork'),
    ...paging,
  }),
  outputSchema: z.strictObject({
    status: z.string().describe('ahead, behind, diverged or identical'),
    ahead_by: z.int(),
    behind_by: z.int(),
    total_commits: z.int(),
    url: z.string(),
    commits: z.array(commitShape),
    files: z.array(changedFileShape),
    ...nextPage,
  }),
  annotations: effects.reads,
  scopes: ['repo'],
  capabilities: ['compare commits', 'compare branches'],
  async execute({ owner, repo, base, head, ...query }, { service }) {
    interface Raw {
      readonly status: string;
      readonly ahead_by: number;
      readonly behind_by: number;
      readonly total_commits: number;
      readonly html_url: string;
      readonly commits: readonly RawCommit[];
      readonly files?: readonly RawChangedFile[];
    }
    const address = repoPath({ owner, repo }, 'compare', `${base}...${head}`);
    const { body, next_page } = await getPage<Raw>(service, address, query);
    const { status, ahead_by, behind_by, total_commits, html_url: url } = body;
    const files = (body.files ?? []).map(toChangedFile);
    return { status, ahead_by, behind_by, total_commits, url, commits: body.commits.map(toCommit), files, next_page };
  },
});
