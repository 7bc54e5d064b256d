/** Comments on issues. */
import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { HelveError } from '../../../domain/errors.js';
import { defined } from '../../../util/defined.js';
import { checkPayload, nextCursor, type Page, selectPage, unlessMissing } from '../client.js';
import { byOwnId } from '../create-once.js';
import { defineLinearTool } from '../define-tool.js';
import { issueId, markdown, next_cursor, paging, toPageVariables, uuid } from '../inputs.js';
import { resolveIssue } from '../resolve.js';
import { commentRecord, commentRequests } from '../shapes/issue.js';

const body = markdown.min(1);
const commentId = uuid.describe('Id of the comment, as list_comments shows it');

const listDocument = `query Comments($id: String!, $first: Int, $after: String) {
  issue(id: $id) { comments(first: $first, after: $after) { ${selectPage(commentRecord)} } }
}`;

export const listComments = defineLinearTool({
  name: 'list_comments',
  title: 'List comments',
  description: 'The comments of an issue.',
  inputSchema: z.strictObject({ issue: issueId, ...paging }),
  outputSchema: z.strictObject({ comments: z.array(commentRecord.shape), next_cursor }),
  annotations: effects.reads,
  scopes: ['read'],
  capabilities: ['list comments'],
  async run({ issue: id, ...input }, linear) {
    const { issue } = await linear.query<{ issue: { comments: Page } }>(listDocument, {
      id,
      ...toPageVariables(input),
    });
    return { comments: issue.comments.nodes.map(commentRecord.read), next_cursor: nextCursor(issue.comments) };
  },
});

export const createComment = defineLinearTool({
  name: 'create_comment',
  title: 'Create a comment',
  description: 'Comment on an issue, or reply to a comment.',
  inputSchema: z.strictObject({
    issue: issueId,
    body,
    parent_id: commentId.optional().describe('Replies to this comment'),
  }),
  outputSchema: commentRecord.shape,
  annotations: effects.creates,
  idempotency: byOwnId,
  scopes: ['read', 'comments:create'],
  capabilities: ['create comment', 'comment on issue'],
  async run(values, linear, { effectKey }) {
    const { id: issueId } = await resolveIssue(linear, values.issue);
    const input = defined({ issueId, body: values.body, parentId: values.parent_id });
    return commentRequests.create(linear, effectKey, input);
  },
});

export const updateComment = defineLinearTool({
  name: 'update_comment',
  title: 'Update a comment',
  description: 'Replace the text of a comment.',
  inputSchema: z.strictObject({ id: commentId, body }),
  outputSchema: commentRecord.shape,
  annotations: effects.replaces,
  scopes: ['write'],
  capabilities: ['update comment'],
  async run({ id, ...input }, linear) {
    return commentRequests.update(linear, id, input);
  },
});

const doubtful = new Set(['outcome_unknown', 'upstream_failed']);

const deleteDocument = 'mutation DeleteComment($id: String!) { payload: commentDelete(id: $id) { success entityId } }';

export const deleteComment = defineLinearTool({
  name: 'delete_comment',
  title: 'Delete a comment',
  description: 'Delete a comment for good.',
  inputSchema: z.strictObject({ id: commentId }),
  outputSchema: z.strictObject({ deleted: z.literal(true), id: z.string() }),
  annotations: effects.replaces,
  idempotency: { by: 'probe', how: 'A comment that Linear no longer finds counts as deleted' },
  risk: 'destructive',
  scopes: ['read', 'write'],
  capabilities: ['delete comment'],
  async run({ id }, linear) {
    try {
      checkPayload((await linear.mutate<{ payload: { success: boolean } }>(deleteDocument, { id }, 'once')).payload);
    } catch (error) {
      // A second deletion would fail because the comment is missing: look for the comment instead.
      if (!(error instanceof HelveError) || !doubtful.has(error.code)) throw error;
      const there = await unlessMissing(() => commentRequests.fetch(linear, id)).catch(() => Promise.reject(error));
      if (there) throw error;
    }
    return { deleted: true as const, id };
  },
  async look({ id }, linear) {
    const there = await unlessMissing(() => commentRequests.fetch(linear, id));
    return there ? undefined : { deleted: true as const, id };
  },
});
