/** Comments on lines of a pull request, and answers to them. */

import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { defineGitHubTool } from '../define-tool.js';
import { commentId, direction, markdown, pageOf, paging, pullNumber, repository, since } from '../inputs.js';
import { getPage, repoPath } from '../requests.js';
import { type RawReviewComment, reviewCommentShape, toReviewComment } from '../shapes/review.js';

export const listReviewComments = defineGitHubTool({
  name: 'list_review_comments',
  title: 'List comments on code',
  description: 'The comments on lines of a pull request, with the piece of diff each is about.',
  inputSchema: z.strictObject({
    ...repository,
    pull_number: pullNumber,
    since: since.optional(),
    sort: z.enum(['created', 'updated']).optional(),
    direction,
    ...paging,
  }),
  outputSchema: pageOf('comments', reviewCommentShape),
  annotations: effects.reads,
  scopes: ['repo'],
  capabilities: ['list review comments', 'list comments'],
  async execute({ owner, repo, pull_number, ...query }, { service }) {
    const path = repoPath({ owner, repo }, 'pulls', pull_number, 'comments');
    const { body, next_page } = await getPage<readonly RawReviewComment[]>(service, path, query);
    return { comments: body.map(toReviewComment), next_page };
  },
});

export const createReviewCommentReply = defineGitHubTool({
  name: 'create_review_comment_reply',
  title: 'Reply to a comment on code',
  description: 'Answer in the thread of a comment on lines of a pull request. New threads: create_review.',
  inputSchema: z.strictObject({
    ...repository,
    pull_number: pullNumber,
    comment_id: commentId.describe('Id of the comment that began the thread'),
    body: markdown.min(1),
  }),
  outputSchema: reviewCommentShape,
  annotations: effects.creates,
  scopes: ['repo'],
  capabilities: ['reply to review comment', 'create comment'],
  async execute({ pull_number, comment_id, body, ...input }, { service }) {
    const path = repoPath(input, 'pulls', pull_number, 'comments', comment_id, 'replies');
    return toReviewComment(await service.json<RawReviewComment>({ method: 'POST', path, json: { body } }));
  },
});
