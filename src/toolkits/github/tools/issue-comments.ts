/** The conversation on an issue or pull request, which to GitHub is one thing. */

import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { defineGitHubTool } from '../define-tool.js';
import { commentId, issueNumber, markdown, pageOf, paging, repository, since } from '../inputs.js';
import { findJson, getPage, repoPath, writeOnce } from '../requests.js';
import { commentShape, type RawComment, toComment } from '../shapes/issue.js';

const body = markdown.min(1);

export const listIssueComments = defineGitHubTool({
  name: 'list_issue_comments',
  title: 'List comments',
  description: 'The conversation on an issue or pull request, oldest first. On lines of code: list_review_comments.',
  inputSchema: z.strictObject({ ...repository, issue_number: issueNumber, since: since.optional(), ...paging }),
  outputSchema: pageOf('comments', commentShape),
  annotations: effects.reads,
  scopes: ['repo'],
  capabilities: ['list comments'],
  async execute({ owner, repo, issue_number, ...query }, { service }) {
    const path = repoPath({ owner, repo }, 'issues', issue_number, 'comments');
    const { body, next_page } = await getPage<readonly RawComment[]>(service, path, query);
    return { comments: body.map(toComment), next_page };
  },
});

export const createIssueComment = defineGitHubTool({
  name: 'create_issue_comment',
  title: 'Comment',
  description: 'Comment on an issue or a pull request.',
  inputSchema: z.strictObject({ ...repository, issue_number: issueNumber, body }),
  outputSchema: commentShape,
  annotations: effects.creates,
  scopes: ['repo'],
  capabilities: ['create comment', 'comment on issue', 'comment on pull request'],
  examples: [{ input: { owner: 'octocat', repo: 'hello-world', issue_number: 7, body: 'Fixed in #8.' } }],
  async execute({ body, issue_number, ...input }, { service }) {
    const path = repoPath(input, 'issues', issue_number, 'comments');
    return toComment(await service.json<RawComment>({ method: 'POST', path, json: { body } }));
  },
});

export const updateIssueComment = defineGitHubTool({
  name: 'update_issue_comment',
  title: 'Update a comment',
  description: 'Replace the text of a comment on an issue or pull request.',
  inputSchema: z.strictObject({ ...repository, comment_id: commentId, body }),
  outputSchema: commentShape,
  annotations: effects.replaces,
  scopes: ['repo'],
  capabilities: ['update comment'],
  async execute({ body, comment_id, ...input }, { service }) {
    const path = repoPath(input, 'issues', 'comments', comment_id);
    return toComment(await service.json<RawComment>({ method: 'PATCH', path, json: { body }, repeatable: true }));
  },
});

export const deleteIssueComment = defineGitHubTool({
  name: 'delete_issue_comment',
  title: 'Delete a comment',
  description: 'Delete a comment on an issue or pull request for good.',
  inputSchema: z.strictObject({ ...repository, comment_id: commentId }),
  outputSchema: z.strictObject({ deleted: z.literal(true) }),
  annotations: effects.replaces,
  risk: 'destructive',
  scopes: ['repo'],
  capabilities: ['delete comment'],
  async execute({ comment_id, ...input }, { service }) {
    const path = repoPath(input, 'issues', 'comments', comment_id);
    const done = { deleted: true as const };
    return writeOnce(
      async () => {
        await service.request({ method: 'DELETE', path });
        return done;
      },
      async () => ((await findJson(service, { path })) === undefined ? done : undefined),
    );
  },
});
