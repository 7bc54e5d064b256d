/** Comments on issues. */

import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { HelveError } from '../../../domain/errors.js';
import { defined } from '../../../util/defined.js';
import { checked, type Linear, nextCursor, type Page, unlessMissing } from '../client.js';
import { createOnce, idFor } from '../create-once.js';
import { defineLinearTool } from '../define-tool.js';
import { issueId, markdown, next_cursor, pageOf, paging, uuid } from '../inputs.js';
import { resolveIssue } from '../resolve.js';
import { commentFields, commentShape, type RawComment, toComment } from '../shapes/issue.js';

const body = markdown.min(1);
const commentId = uuid.describe('Id of the comment, as list_comments tells it');

interface Payload {
  readonly payload: { readonly success: boolean; readonly comment: RawComment };
}

const listDocument = `query Comments($id: String!, $first: Int, $after: String) {
  issue(id: $id) { comments(first: $first, after: $after) { nodes { ${commentFields} } pageInfo { hasNextPage endCursor } } }
}`;

export const listComments = defineLinearTool({
  name: 'list_comments',
  title: 'List comments',
  description: 'The comments of an issue.',
  inputSchema: z.strictObject({ issue: issueId, ...paging }),
  outputSchema: z.strictObject({ comments: z.array(commentShape), next_cursor }),
  annotations: effects.reads,
  scopes: ['read'],
  capabilities: ['list comments'],
  async run({ issue: id, ...input }, linear) {
    const { issue } = await linear.query<{ issue: { comments: Page<RawComment> } }>(listDocument, {
      id,
      ...pageOf(input),
    });
    return { comments: issue.comments.nodes.map(toComment), next_cursor: nextCursor(issue.comments) };
  },
});

const getDocument = `query Comment($id: String!) { comment(id: $id) { ${commentFields} } }`;
const getComment = async (linear: Linear, id: string) =>
  (await linear.query<{ comment: RawComment }>(getDocument, { id })).comment;

const createDocument = `mutation CreateComment($input: CommentCreateInput!) { payload: commentCreate(input: $input) { success comment { ${commentFields} } } }`;

export const createComment = defineLinearTool({
  name: 'create_comment',
  title: 'Create a comment',
  description: 'Comment on an issue, or reply to a comment.',
  inputSchema: z.strictObject({
    issue: issueId,
    body,
    parent_id: commentId.optional().describe('Replies to this comment'),
  }),
  outputSchema: commentShape,
  annotations: effects.creates,
  scopes: ['read', 'comments:create'],
  capabilities: ['create comment', 'comment on issue'],
  async run(values, linear, { executionId }) {
    const id = idFor(executionId, 'comment');
    const issueId = (await resolveIssue(linear, values.issue)).id;
    const input = defined({ id, issueId, body: values.body, parentId: values.parent_id });
    const comment = await createOnce(
      async () => checked((await linear.mutate<Payload>(createDocument, { input })).payload).comment,
      () => getComment(linear, id),
    );
    return toComment(comment);
  },
});

const updateDocument = `mutation UpdateComment($id: String!, $input: CommentUpdateInput!) { payload: commentUpdate(id: $id, input: $input) { success comment { ${commentFields} } } }`;

export const updateComment = defineLinearTool({
  name: 'update_comment',
  title: 'Update a comment',
  description: 'Put another text in the place of that of a comment.',
  inputSchema: z.strictObject({ id: commentId, body }),
  outputSchema: commentShape,
  annotations: effects.replaces,
  scopes: ['write'],
  capabilities: ['update comment'],
  async run({ id, ...input }, linear) {
    return toComment(checked((await linear.mutate<Payload>(updateDocument, { id, input })).payload).comment);
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
  risk: 'destructive',
  scopes: ['read', 'write'],
  capabilities: ['delete comment'],
  async run({ id }, linear) {
    try {
      checked((await linear.mutate<{ payload: { success: boolean } }>(deleteDocument, { id }, 'once')).payload);
    } catch (error) {
      // Sent a second time it would be refused as missing, as if it had never been: so it is looked for instead.
      if (!(error instanceof HelveError) || !doubtful.has(error.code)) throw error;
      const there = await unlessMissing(() => getComment(linear, id)).catch(() => Promise.reject(error));
      if (there) throw error;
    }
    return { deleted: true as const, id };
  },
});
