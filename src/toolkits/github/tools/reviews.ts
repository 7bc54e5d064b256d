/** Reviews of a pull request, and requests for them. */

import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { HelveError } from '../../../domain/errors.js';
import { definePage } from '../answers.js';
import { defineGitHubRequest } from '../define-tool.js';
import { login, markdown, markedText, paging, path, pullRequest, sha } from '../inputs.js';
import { requestedReviewersRecord } from '../shapes/pull-request.js';
import { reviewRecord } from '../shapes/review.js';

const side = z.enum(['LEFT', 'RIGHT']).optional().describe('LEFT for removed lines. Default RIGHT');

export const listReviews = defineGitHubRequest({
  name: 'list_reviews',
  title: 'List reviews',
  description: 'The reviews of a pull request, oldest first.',
  inputSchema: z.strictObject({ ...pullRequest, ...paging }),
  annotations: effects.reads,
  capabilities: ['list reviews'],
  request: 'GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews',
  answer: definePage('reviews', reviewRecord),
});

export const createReview = defineGitHubRequest({
  name: 'create_review',
  title: 'Review a pull request',
  description: 'Approve a pull request, ask for changes or comment on it, with comments on lines of its diff.',
  inputSchema: z.strictObject({
    ...pullRequest,
    event: z.enum(['APPROVE', 'REQUEST_CHANGES', 'COMMENT']),
    body: markedText.optional().describe('Markdown. Needed for REQUEST_CHANGES, and for COMMENT without comments'),
    commit_id: sha.optional().describe('The commit that was reviewed. Default: the last one'),
    comments: z
      .array(
        z.strictObject({
          path,
          body: markdown.min(1),
          line: z.int().min(1).describe('In the file as it is on that side; must be in the diff'),
          side,
          start_line: z.int().min(1).optional().describe('First line, for several'),
          start_side: side,
        }),
      )
      .max(100)
      .optional(),
  }),
  annotations: effects.creates,
  capabilities: ['create review', 'review pull request', 'approve pull request', 'request changes'],
  examples: [
    {
      input: {
        owner: 'octocat',
        repo: 'hello-world',
        pull_number: 8,
        event: 'REQUEST_CHANGES',
        body: 'One thing to mend.',
        comments: [{ path: 'src/main.ts', line: 12, body: 'This may be undefined.' }],
      },
    },
  ],
  request: 'POST /repos/{owner}/{repo}/pulls/{pull_number}/reviews',
  parameters(review) {
    const silent = !review.body && (review.comments ?? []).length === 0;
    if ((review.event === 'REQUEST_CHANGES' && !review.body) || (review.event === 'COMMENT' && silent)) {
      throw new HelveError('invalid_input', `A review with the event ${review.event} needs a body`, {
        hint: 'Say in body what this is about.',
        details: { fields: ['body'] },
      });
    }
    return review;
  },
  answer: reviewRecord,
  marked: () => ({ list: 'GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews', query: {} }),
});

export const requestReviewers = defineGitHubRequest({
  name: 'request_reviewers',
  title: 'Request reviewers',
  description: 'Ask people or teams to review a pull request.',
  inputSchema: z.strictObject({
    ...pullRequest,
    reviewers: z.array(login).max(15).optional().describe('Logins'),
    team_reviewers: z.array(z.string().min(1).max(100)).max(15).optional().describe('Slugs of teams'),
  }),
  annotations: effects.createsOnce,
  capabilities: ['request review', 'add reviewer'],
  request: 'POST /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers',
  parameters(asked) {
    if ((asked.reviewers ?? []).length + (asked.team_reviewers ?? []).length === 0) {
      throw new HelveError('invalid_input', 'Nobody is named', { hint: 'Give reviewers, team_reviewers or both.' });
    }
    return asked;
  },
  // Reviewers who have been asked already are not asked again.
  repeatable: true,
  answer: requestedReviewersRecord,
});
