/** Reviews of a pull request and the comments on its lines. */
import { z } from 'zod';
import { defineRecord, from } from '../../../util/record.js';
import { authorFrom, textFrom, time, url } from './people.js';

export const reviewRecord = defineRecord({
  id: z.int(),
  author: authorFrom('user'),
  state: z.string().describe('APPROVED, CHANGES_REQUESTED, COMMENTED, DISMISSED or PENDING'),
  body: textFrom('body'),
  url,
  commit_sha: from('commit_id', z.string().optional()),
  submitted_at: time.optional(),
  author_association: z.string().optional().describe('OWNER, MEMBER or COLLABORATOR belong to the repository'),
});

export const reviewCommentRecord = defineRecord({
  id: z.int(),
  review_id: from('pull_request_review_id', z.int().optional()),
  in_reply_to: from('in_reply_to_id', z.int().optional().describe('Id of the comment that began the thread')),
  author: authorFrom('user'),
  path: z.string(),
  line: z.int().optional().describe('Absent when the line is no longer in the diff, or the comment is on the file'),
  start_line: z.int().optional(),
  side: z.string().optional(),
  diff_hunk: z.string(),
  body: textFrom('body'),
  url,
  created_at: time,
  updated_at: time,
});
