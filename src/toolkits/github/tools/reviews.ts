/** Reviews of a pull request, and who is asked for one. */

import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { HelveError } from '../../../domain/errors.js';
import { defineGitHubTool } from '../define-tool.js';
import { login, markdown, pageOf, paging, path, pullNumber, repository, sha } from '../inputs.js';
import { getPage, repoPath } from '../requests.js';
import { loginsOf } from '../shapes/people.js';
import type { RawPullRequest } from '../shapes/pull-request.js';
import { type RawReview, reviewShape, toReview } from '../shapes/review.js';

const side = z.enum(['LEFT', 'RIGHT']).optional().describe('LEFT for removed lines. Default RIGHT');

export const listReviews = defineGitHubTool({
  name: 'list_reviews',
  title: 'List reviews',
  description: 'The reviews of a pull request, oldest first.',
  inputSchema: z.strictObject({ ...repository, pull_number: pullNumber, ...paging }),
  outputSchema: pageOf('reviews', reviewShape),
  annotations: effects.reads,
  scopes: ['repo'],
  capabilities: ['list reviews'],
  async execute({ owner, repo, pull_number, ...query }, { service }) {
    const address = repoPath({ owner, repo }, 'pulls', pull_number, 'reviews');
    const { body, next_page } = await getPage<readonly RawReview[]>(service, address, query);
    return { reviews: body.map(toReview), next_page };
  },
});

export const createReview = defineGitHubTool({
  name: 'create_review',
  title: 'Review a pull request',
  description: 'Approve a pull request, ask for changes or comment on it, with comments on lines of its diff.',
  inputSchema: z.strictObject({
    ...repository,
    pull_number: pullNumber,
    event: z.enum(['APPROVE', 'REQUEST_CHANGES', 'COMMENT']),
    body: markdown.optional().describe('Markdown. Needed for REQUEST_CHANGES, and for COMMENT without comments'),
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
  outputSchema: reviewShape,
  annotations: effects.creates,
  scopes: ['repo'],
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
  async execute({ owner, repo, pull_number, ...json }, { service }) {
    const silent = !json.body && (json.comments ?? []).length === 0;
    if ((json.event === 'REQUEST_CHANGES' && !json.body) || (json.event === 'COMMENT' && silent)) {
      throw new HelveError('invalid_input', `A review with the event ${json.event} needs a body`, {
        hint: 'Say in body what this is about.',
        details: { fields: ['body'] },
      });
    }
    const address = repoPath({ owner, repo }, 'pulls', pull_number, 'reviews');
    return toReview(await service.json<RawReview>({ method: 'POST', path: address, json }));
  },
});

export const requestReviewers = defineGitHubTool({
  name: 'request_reviewers',
  title: 'Request reviewers',
  description: 'Ask people or teams to review a pull request.',
  inputSchema: z.strictObject({
    ...repository,
    pull_number: pullNumber,
    reviewers: z.array(login).max(15).optional().describe('Logins'),
    team_reviewers: z.array(z.string().min(1).max(100)).max(15).optional().describe('Slugs of teams'),
  }),
  outputSchema: z.strictObject({ requested_reviewers: z.array(z.string()), requested_teams: z.array(z.string()) }),
  annotations: effects.createsOnce,
  scopes: ['repo'],
  capabilities: ['request review', 'add reviewer'],
  async execute({ owner, repo, pull_number, ...json }, { service }) {
    if ((json.reviewers ?? []).length + (json.team_reviewers ?? []).length === 0) {
      throw new HelveError('invalid_input', 'Nobody is named', { hint: 'Give reviewers, team_reviewers or both.' });
    }
    const address = repoPath({ owner, repo }, 'pulls', pull_number, 'requested_reviewers');
    // Whoever is asked already is not asked again.
    const request = { method: 'POST', path: address, json, repeatable: true } as const;
    const raw = await service.json<RawPullRequest>(request);
    return {
      requested_reviewers: loginsOf(raw.requested_reviewers),
      requested_teams: (raw.requested_teams ?? []).map(({ slug }) => slug),
    };
  },
});
