/** Comments on lines of a pull request, and replies to them. */

import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { definePage } from '../answers.js';
import { defineGitHubRequest } from '../define-tool.js';
import { commentId, direction, markedText, paging, pullRequest, since } from '../inputs.js';
import { reviewCommentRecord } from '../shapes/review.js';

export const listReviewComments = defineGitHubRequest({
  name: 'list_review_comments',
  title: 'List comments on code',
  description: 'The comments on lines of a pull request, with the piece of diff each is about.',
  inputSchema: z.strictObject({
    ...pullRequest,
    since: since.optional(),
    sort: z.enum(['created', 'updated']).optional(),
    direction,
    ...paging,
  }),
  annotations: effects.reads,
  capabilities: ['list review comments', 'list comments'],
  request: 'GET /repos/{owner}/{repo}/pulls/{pull_number}/comments',
  answer: definePage('comments', reviewCommentRecord),
});

export const createReviewCommentReply = defineGitHubRequest({
  name: 'create_review_comment_reply',
  title: 'Reply to a comment on code',
  description: 'Answer in the thread of a comment on lines of a pull request. New threads: create_review.',
  inputSchema: z.strictObject({
    ...pullRequest,
    comment_id: commentId.describe('Id of the comment that began the thread'),
    body: markedText.min(1),
  }),
  annotations: effects.creates,
  capabilities: ['reply to review comment', 'create comment'],
  request: 'POST /repos/{owner}/{repo}/pulls/{pull_number}/comments/{comment_id}/replies',
  answer: reviewCommentRecord,
  marked: (since) => ({ list: 'GET /repos/{owner}/{repo}/pulls/{pull_number}/comments', query: { since } }),
});
