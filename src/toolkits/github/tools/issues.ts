/** Issues. */

import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { fillRequest } from '../../../util/fill-request.js';
import { conditionalOutput, definePage } from '../answers.js';
import { defineGitHubRequest, defineGitHubTool } from '../define-tool.js';
import {
  direction,
  etag,
  issue,
  labelName,
  login,
  markdown,
  markedText,
  openOrClosed,
  paging,
  repository,
  requireChange,
  since,
  title,
} from '../inputs.js';
import { getUnlessSame } from '../requests.js';
import { issueRecord, issueSummaryRecord } from '../shapes/issue.js';

export const listIssues = defineGitHubRequest({
  name: 'list_issues',
  title: 'List issues',
  description: 'Issues of a repository, without their texts. Pull requests are among them, marked is_pull_request.',
  inputSchema: z.strictObject({
    ...repository,
    state: openOrClosed,
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
  annotations: effects.reads,
  capabilities: ['list issues'],
  examples: [{ input: { owner: 'octocat', repo: 'hello-world', labels: ['bug'], per_page: 10 } }],
  request: 'GET /repos/{owner}/{repo}/issues',
  parameters: ({ labels, ...rest }) => ({ ...rest, labels: labels?.join(',') }),
  answer: definePage('issues', issueSummaryRecord),
});

export const getIssue = defineGitHubTool({
  name: 'get_issue',
  title: 'Get an issue',
  description: 'One issue with its text.',
  inputSchema: z.strictObject({ ...issue, etag }),
  outputSchema: z.strictObject({ issue: issueRecord.shape.optional(), ...conditionalOutput }),
  annotations: effects.reads,
  capabilities: ['get issue'],
  async execute({ etag, ...input }, { service }) {
    const { path } = fillRequest('GET /repos/{owner}/{repo}/issues/{issue_number}', input);
    return getUnlessSame(service, { path, etag }, (raw: object) => ({ issue: issueRecord.read(raw) }));
  },
});

export const createIssue = defineGitHubRequest({
  name: 'create_issue',
  title: 'Create an issue',
  description: 'Open an issue in a repository.',
  inputSchema: z.strictObject({
    ...repository,
    title,
    body: markedText.optional(),
    labels: z.array(labelName).max(100).optional(),
    assignees: z.array(login).max(10).optional().describe('Logins'),
    milestone: z.int().min(1).optional().describe('Its number'),
  }),
  annotations: effects.creates,
  capabilities: ['create issue'],
  examples: [{ input: { owner: 'octocat', repo: 'hello-world', title: 'Typo in README', labels: ['bug'] } }],
  request: 'POST /repos/{owner}/{repo}/issues',
  answer: issueRecord,
  marked: () => ({
    list: 'GET /repos/{owner}/{repo}/issues',
    query: { state: 'all', sort: 'created', direction: 'desc' },
    newestFirst: true,
  }),
});

export const updateIssue = defineGitHubRequest({
  name: 'update_issue',
  title: 'Update an issue',
  description: 'Change an issue, close it or open it again. Labels and assignees are replaced as a whole.',
  inputSchema: z.strictObject({
    ...issue,
    title: title.optional(),
    body: markdown.optional(),
    state: z.enum(['open', 'closed']).optional(),
    state_reason: z.enum(['completed', 'not_planned', 'reopened']).optional().describe('With state'),
    labels: z.array(labelName).max(100).optional().describe('All that it should have'),
    assignees: z.array(login).max(10).optional().describe('All that it should have'),
    milestone: z
      .union([z.int().min(1), z.null()])
      .optional()
      .describe('Its number; null removes it'),
  }),
  annotations: effects.replaces,
  capabilities: ['update issue', 'close issue', 'reopen issue', 'assign issue'],
  examples: [
    {
      input: { owner: 'octocat', repo: 'hello-world', issue_number: 7, state: 'closed', state_reason: 'completed' },
      note: 'Closes it',
    },
  ],
  request: 'PATCH /repos/{owner}/{repo}/issues/{issue_number}',
  parameters: (changes) => requireChange(changes, 'title, body, state, labels, assignees, milestone'),
  // An update only sets values, so it can be repeated.
  repeatable: true,
  answer: issueRecord,
});
