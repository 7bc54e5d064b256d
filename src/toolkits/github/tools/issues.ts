/** Issues. Opening one has no key that would make it repeatable; changing one only sets values, and is. */

import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { HelveError } from '../../../domain/errors.js';
import { defineGitHubTool } from '../define-tool.js';
import {
  conditionalOutput,
  direction,
  etag,
  issueNumber,
  labelName,
  login,
  markdown,
  pageOf,
  paging,
  repository,
  since,
  title,
} from '../inputs.js';
import { getPage, getUnlessSame, repoPath } from '../requests.js';
import { issueShape, issueSummaryShape, type RawIssue, toIssue, toIssueSummary } from '../shapes/issue.js';

export const listIssues = defineGitHubTool({
  name: 'list_issues',
  title: 'List issues',
  description: 'Issues of a repository, without their texts. Pull requests are among them, marked is_pull_request.',
  inputSchema: z.strictObject({
    ...repository,
    state: z.enum(['open', 'closed', 'all']).optional().describe('Default open'),
    labels: z.array(labelName).max(20).optional().describe('Only those with all of these'),
    assignee: z.string().min(1).max(100).optional().describe('Login; none; * for any'),
    creator: login.optional(),
    mentioned: login.optional(),
    milestone: z.string().min(1).max(20).optional().describe('Its number; none; * for any'),
    since: since.optional().describe('Updated at or after: 2026-01-31T00:00:00Z'),
    sort: z.enum(['created', 'updated', 'comments']).optional(),
    direction,
    ...paging,
  }),
  outputSchema: pageOf('issues', issueSummaryShape),
  annotations: effects.reads,
  scopes: ['repo'],
  capabilities: ['list issues'],
  examples: [{ input: { owner: 'octocat', repo: 'hello-world', labels: ['bug'], per_page: 10 } }],
  async execute({ owner, repo, labels, ...query }, { service }) {
    const path = repoPath({ owner, repo }, 'issues');
    const { body, next_page } = await getPage<readonly RawIssue[]>(service, path, {
      ...query,
      labels: labels?.join(','),
    });
    return { issues: body.map(toIssueSummary), next_page };
  },
});

export const getIssue = defineGitHubTool({
  name: 'get_issue',
  title: 'Get an issue',
  description: 'One issue with its text.',
  inputSchema: z.strictObject({ ...repository, issue_number: issueNumber, etag }),
  outputSchema: z.strictObject({ issue: issueShape.optional(), ...conditionalOutput }),
  annotations: effects.reads,
  scopes: ['repo'],
  capabilities: ['get issue'],
  async execute({ issue_number, etag, ...input }, { service }) {
    const path = repoPath(input, 'issues', issue_number);
    const { body, etag: tag } = await getUnlessSame<RawIssue>(service, { path }, etag);
    return body ? { issue: toIssue(body), etag: tag } : { etag: tag, not_modified: true as const };
  },
});

export const createIssue = defineGitHubTool({
  name: 'create_issue',
  title: 'Create an issue',
  description: 'Open an issue in a repository.',
  inputSchema: z.strictObject({
    ...repository,
    title,
    body: markdown.optional(),
    labels: z.array(labelName).max(100).optional(),
    assignees: z.array(login).max(10).optional().describe('Logins'),
    milestone: z.int().min(1).optional().describe('Its number'),
  }),
  outputSchema: issueShape,
  annotations: effects.creates,
  scopes: ['repo'],
  capabilities: ['create issue'],
  examples: [{ input: { owner: 'octocat', repo: 'hello-world', title: 'Typo in README', labels: ['bug'] } }],
  async execute({ owner, repo, ...json }, { service }) {
    const path = repoPath({ owner, repo }, 'issues');
    return toIssue(await service.json<RawIssue>({ method: 'POST', path, json }));
  },
});

export const updateIssue = defineGitHubTool({
  name: 'update_issue',
  title: 'Update an issue',
  description: 'Change an issue, close it or open it again. Labels and assignees are replaced as a whole.',
  inputSchema: z.strictObject({
    ...repository,
    issue_number: issueNumber,
    title: title.optional(),
    body: markdown.optional(),
    state: z.enum(['open', 'closed']).optional(),
    state_reason: z.enum(['completed', 'not_planned', 'reopened']).optional().describe('With state'),
    labels: z.array(labelName).max(100).optional().describe('All it shall have'),
    assignees: z.array(login).max(10).optional().describe('All it shall have'),
    milestone: z
      .union([z.int().min(1), z.null()])
      .optional()
      .describe('Its number; null takes it off'),
  }),
  outputSchema: issueShape,
  annotations: effects.replaces,
  scopes: ['repo'],
  capabilities: ['update issue', 'close issue', 'reopen issue', 'assign issue'],
  examples: [
    {
      input: { owner: 'octocat', repo: 'hello-world', issue_number: 7, state: 'closed', state_reason: 'completed' },
      note: 'Closes it',
    },
  ],
  async execute({ owner, repo, issue_number, ...json }, { service }) {
    if (Object.keys(json).length === 0) {
      throw new HelveError('invalid_input', 'There is nothing to change', {
        hint: 'Give at least one of title, body, state, labels, assignees, milestone.',
      });
    }
    const path = repoPath({ owner, repo }, 'issues', issue_number);
    // Everything is set to a value: setting it twice is setting it once.
    return toIssue(await service.json<RawIssue>({ method: 'PATCH', path, json, repeatable: true }));
  },
});
