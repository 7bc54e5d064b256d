/** Reviews of a pull request and the comments on its lines. */
import { z } from 'zod';
import { orUndefined } from '../requests.js';
import { author, loginOf, type RawUser, time } from './people.js';

export interface RawReview {
  readonly id: number;
  readonly user: RawUser | null;
  readonly state: string;
  readonly body: string;
  readonly html_url: string;
  readonly commit_id: string | null;
  readonly submitted_at?: string;
}

export interface RawReviewComment {
  readonly id: number;
  readonly pull_request_review_id: number | null;
  readonly path: string;
  readonly line?: number | null;
  readonly start_line?: number | null;
  readonly side?: string;
  readonly diff_hunk: string;
  readonly body: string;
  readonly user: RawUser | null;
  readonly html_url: string;
  readonly in_reply_to_id?: number;
  readonly created_at: string;
  readonly updated_at: string;
}

export const reviewShape = z.strictObject({
  id: z.int(),
  author,
  state: z.string().describe('APPROVED, CHANGES_REQUESTED, COMMENTED, DISMISSED or PENDING'),
  body: z.string(),
  url: z.string(),
  commit_sha: z.string().optional(),
  submitted_at: time.optional(),
});

export function toReview(raw: RawReview): z.input<typeof reviewShape> {
  return {
    id: raw.id,
    author: loginOf(raw.user),
    state: raw.state,
    body: raw.body ?? '',
    url: raw.html_url,
    commit_sha: orUndefined(raw.commit_id),
    submitted_at: raw.submitted_at,
  };
}

export const reviewCommentShape = z.strictObject({
  id: z.int(),
  review_id: z.int().optional(),
  in_reply_to: z.int().optional().describe('Id of the comment that began the thread'),
  author,
  path: z.string(),
  line: z.int().optional().describe('Absent when the line is no longer in the diff, or the comment is on the file'),
  start_line: z.int().optional(),
  side: z.string().optional(),
  diff_hunk: z.string(),
  body: z.string(),
  url: z.string(),
  created_at: time,
  updated_at: time,
});

export function toReviewComment(raw: RawReviewComment): z.input<typeof reviewCommentShape> {
  return {
    id: raw.id,
    review_id: orUndefined(raw.pull_request_review_id),
    in_reply_to: raw.in_reply_to_id,
    author: loginOf(raw.user),
    path: raw.path,
    line: orUndefined(raw.line),
    start_line: orUndefined(raw.start_line),
    side: raw.side,
    diff_hunk: raw.diff_hunk,
    body: raw.body,
    url: raw.html_url,
    created_at: raw.created_at,
    updated_at: raw.updated_at,
  };
}
