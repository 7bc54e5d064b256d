/** GitHub's searches: at most 1,000 hits each, and limits of their own (10 to 30 a minute). */

import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import type { ServiceClient } from '../../../domain/service.js';
import { defineGitHubTool } from '../define-tool.js';
import { nextPage, paging } from '../inputs.js';
import { getPage } from '../requests.js';
import { issueSummaryShape, type RawIssue, toIssueSummary } from '../shapes/issue.js';
import { type RawUser, toUser, user } from '../shapes/people.js';
import { type RawRepository, repositoryShape, toRepository } from '../shapes/repository.js';

const query = z.string().min(1).max(1_000);
const order = z.enum(['asc', 'desc']).optional().describe('Default desc. With sort');
const found = <Item extends z.ZodType>(item: Item) =>
  z.strictObject({
    total: z.int(),
    incomplete: z.boolean().describe('GitHub ran out of time: there may be more'),
    items: z.array(item),
    ...nextPage,
  });

async function search<Raw, Item>(
  service: ServiceClient,
  kind: string,
  { query, ...rest }: { readonly query: string } & Readonly<Record<string, string | number | undefined>>,
  toItem: (raw: Raw) => Item,
) {
  type Body = { readonly total_count: number; readonly incomplete_results: boolean; readonly items: readonly Raw[] };
  const { body, next_page } = await getPage<Body>(service, `/search/${kind}`, { q: query, ...rest });
  return { total: body.total_count, incomplete: body.incomplete_results, items: body.items.map(toItem), next_page };
}

export const searchCode = defineGitHubTool({
  name: 'search_code',
  title: 'Search code',
  description: 'Files that contain something, on default branches. The query needs at least one word.',
  inputSchema: z.strictObject({
    query: query.describe('Words and qualifiers: addClass repo:octocat/hello-world language:js path:src'),
    ...paging,
  }),
  outputSchema: found(z.strictObject({ path: z.string(), repository: z.string(), sha: z.string(), url: z.string() })),
  annotations: effects.reads,
  scopes: ['repo'],
  capabilities: ['search code'],
  execute: (input, { service }) => search(service, 'code', input, toCodeHit),
});

function toCodeHit(raw: {
  readonly path: string;
  readonly sha: string;
  readonly html_url: string;
  readonly repository: { readonly full_name: string };
}) {
  return { path: raw.path, repository: raw.repository.full_name, sha: raw.sha, url: raw.html_url };
}

export const searchRepositories = defineGitHubTool({
  name: 'search_repositories',
  title: 'Search repositories',
  description: 'Repositories by words and qualifiers.',
  inputSchema: z.strictObject({
    query: query.describe('tetris language:assembly stars:>100 org:octo-org'),
    sort: z.enum(['stars', 'forks', 'help-wanted-issues', 'updated']).optional().describe('Default: best match'),
    order,
    ...paging,
  }),
  outputSchema: found(repositoryShape),
  annotations: effects.reads,
  scopes: ['repo'],
  capabilities: ['search repositories'],
  execute: (input, { service }) => search(service, 'repositories', input, (raw: RawRepository) => toRepository(raw)),
});

export const searchIssues = defineGitHubTool({
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
  outputSchema: found(issueSummaryShape),
  annotations: effects.reads,
  scopes: ['repo'],
  capabilities: ['search issues', 'search pull requests'],
  execute: (input, { service }) => search(service, 'issues', input, (raw: RawIssue) => toIssueSummary(raw)),
});

export const searchUsers = defineGitHubTool({
  name: 'search_users',
  title: 'Search users',
  description: 'Users and organizations by name and qualifiers.',
  inputSchema: z.strictObject({
    query: query.describe('tom type:user location:berlin'),
    sort: z.enum(['followers', 'repositories', 'joined']).optional().describe('Default: best match'),
    order,
    ...paging,
  }),
  outputSchema: found(user),
  annotations: effects.reads,
  capabilities: ['search users'],
  execute: (input, { service }) =>
    search(service, 'users', input, (raw: RawUser & { readonly id: number }) => toUser(raw)),
});
