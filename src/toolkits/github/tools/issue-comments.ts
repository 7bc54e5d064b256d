/** Comments on issues and pull requests, which are the same for GitHub. */

import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { fillRequest } from '../../../util/fill-request.js';
import { definePage } from '../answers.js';
import { defineGitHubRequest, defineGitHubTool } from '../define-tool.js';
import { commentId, issue, markdown, markedText, paging, repository, since } from '../inputs.js';
import { byAbsence, deleteOnce, findJson } from '../requests.js';
import { commentRecord } from '../shapes/issue.js';

const body = markdown.min(1);

export const listIssueComments = defineGitHubRequest({
  name: 'list_issue_comments',
  title: 'List comments',
  description: 'The conversation on an issue or pull request, oldest first. On lines of code: list_review_comments.',
  inputSchema: z.strictObject({ ...issue, since: since.optional(), ...paging }),
  annotations: effects.reads,
  capabilities: ['list comments'],
  request: 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments',
  answer: definePage('comments', commentRecord),
});

export const createIssueComment = defineGitHubRequest({
  name: 'create_issue_comment',
  title: 'Comment',
  description: 'Comment on an issue or a pull request.',
  inputSchema: z.strictObject({ ...issue, body: markedText.min(1) }),
  annotations: effects.creates,
  capabilities: ['create comment', 'comment on issue', 'comment on pull request'],
  examples: [{ input: { owner: 'octocat', repo: 'hello-world', issue_number: 7, body: 'Fixed in #8.' } }],
  request: 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments',
  answer: commentRecord,
  marked: (since) => ({ list: 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments', query: { since } }),
});

export const updateIssueComment = defineGitHubRequest({
  name: 'update_issue_comment',
  title: 'Update a comment',
  description: 'Replace the text of a comment on an issue or pull request.',
  inputSchema: z.strictObject({ ...repository, comment_id: commentId, body }),
  annotations: effects.replaces,
  capabilities: ['update comment'],
  request: 'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}',
  repeatable: true,
  answer: commentRecord,
});

export const deleteIssueComment = defineGitHubTool({
  name: 'delete_issue_comment',
  title: 'Delete a comment',
  description: 'Delete a comment on an issue or pull request for good.',
  inputSchema: z.strictObject({ ...repository, comment_id: commentId }),
  outputSchema: z.strictObject({ deleted: z.literal(true) }),
  annotations: effects.replaces,
  idempotency: byAbsence,
  risk: 'destructive',
  capabilities: ['delete comment'],
  async execute(input, { service }) {
    const { path } = fillRequest('DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}', input);
    await deleteOnce(service, path, path);
    return { deleted: true as const };
  },
  async probe(input, { service }) {
    const { path } = fillRequest('GET /repos/{owner}/{repo}/issues/comments/{comment_id}', input);
    return (await findJson(service, { path })) === undefined ? { deleted: true as const } : undefined;
  },
});
