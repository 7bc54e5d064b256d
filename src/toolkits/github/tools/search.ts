/** GitHub's searches: each finds at most 1,000 items, and they have limits of their own (10 to 30 requests per minute). */

import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { defineRecord, from, listFrom } from '../../../util/record.js';
import { withNextPage } from '../answers.js';
import { defineGitHubRequest } from '../define-tool.js';
import { paging } from '../inputs.js';
import { issueSummaryRecord } from '../shapes/issue.js';
import { url, userRecord } from '../shapes/people.js';
import { repositoryRecord } from '../shapes/repository.js';

const query = z.string().min(1).max(1_000);
const order = z.enum(['asc', 'desc']).optional().describe('Default desc. With sort');
const parameters = ({ query, ...rest }: { readonly query: string }) => ({ q: query, ...rest });
const hits = <Record extends Parameters<typeof listFrom>[1]>(record: Record) =>
  withNextPage(
    defineRecord({
      total: from('total_count', z.int()),
      incomplete: from('incomplete_results', z.boolean().describe('GitHub ran out of time: there may be more')),
      items: listFrom('items', record),
    }),
  );

const codeHitRecord = defineRecord({
  path: z.string(),
  repository: from('repository.full_name', z.string()),
  sha: z.string(),
  url,
});

export const searchCode = defineGitHubRequest({
  name: 'search_code',
  title: 'Search code',
  description: 'Files that contain something, on default branches. The query needs at least one word.',
  inputSchema: z.strictObject({
    query: query.describe('Words and qualifiers: addClass repo:octocat/hello-world language:js path:src'),
    ...paging,
  }),
  annotations: effects.reads,
  capabilities: ['search code'],
  request: 'GET /search/code',
  parameters,
  answer: hits(codeHitRecord),
});

export const searchRepositories = defineGitHubRequest({
  name: 'search_repositories',
  title: 'Search repositories',
  description: 'Repositories by words and qualifiers.',
  inputSchema: z.strictObject({
    query: query.describe('tetris language:assembly stars:>100 org:octo-org'),
    sort: z.enum(['stars', 'forks', 'help-wanted-issues', 'updated']).optional().describe('Default: best match'),
    order,
    ...paging,
  }),
  annotations: effects.reads,
  capabilities: ['search repositories'],
  request: 'GET /search/repositories',
  parameters,
  answer: hits(repositoryRecord),
});

export const searchIssues = defineGitHubRequest({
  name: 'search_issues',
  title: 'Search issues and pull requests',
  description: 'Issues or pull requests in all repositories that the account can reach.',
  inputSchema: z.strictObject({
    query: query.describe(
      'Words and qualifiers, with is:issue or is:pr: crash repo:octocat/hello-world is:issue is:open',
    ),
    sort: z
      .enum(['comments', 'reactions', 'interactions', 'created', 'updated'])
      .optional()
      .describe('Default: best match'),
    order,
    ...paging,
  }),
  annotations: effects.reads,
  capabilities: ['search issues', 'search pull requests'],
  request: 'GET /search/issues',
  parameters,
  answer: hits(issueSummaryRecord),
});

export const searchUsers = defineGitHubRequest({
  name: 'search_users',
  title: 'Search users',
  description: 'Users and organizations by name and qualifiers.',
  inputSchema: z.strictObject({
    query: query.describe('tom type:user location:berlin'),
    sort: z.enum(['followers', 'repositories', 'joined']).optional().describe('Default: best match'),
    order,
    ...paging,
  }),
  annotations: effects.reads,
  scopes: [],
  capabilities: ['search users'],
  request: 'GET /search/users',
  parameters,
  answer: hits(userRecord),
});
