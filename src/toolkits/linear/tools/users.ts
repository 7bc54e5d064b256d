/** People. */

import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { nextCursor, type Page } from '../client.js';
import { defineLinearTool } from '../define-tool.js';
import { next_cursor, pageOf, paging } from '../inputs.js';
import { type RawUser, toUser, userFields, userShape } from '../shapes/people.js';

const listDocument = `query ListUsers($first: Int, $after: String, $includeDisabled: Boolean) {
  users(first: $first, after: $after, includeDisabled: $includeDisabled) { nodes { ${userFields} } pageInfo { hasNextPage endCursor } }
}`;

export const listUsers = defineLinearTool({
  name: 'list_users',
  title: 'List users',
  description: 'The people of the workspace.',
  inputSchema: z.strictObject({ include_disabled: z.boolean().default(false), ...paging }),
  outputSchema: z.strictObject({ users: z.array(userShape), next_cursor }),
  annotations: effects.reads,
  scopes: ['read'],
  capabilities: ['list users'],
  async run(input, linear) {
    const variables = { ...pageOf(input), includeDisabled: input.include_disabled };
    const { users } = await linear.query<{ users: Page<RawUser> }>(listDocument, variables);
    return { users: users.nodes.map(toUser), next_cursor: nextCursor(users) };
  },
});

const viewerDocument = `query Viewer { viewer { ${userFields} organization { id name urlKey } } }`;
interface Viewer extends RawUser {
  readonly organization: { readonly id: string; readonly name: string; readonly urlKey: string };
}

export const getCurrentUser = defineLinearTool({
  name: 'get_current_user',
  title: 'Get the signed-in user',
  description: 'Whose account this connection acts with, and in which workspace.',
  inputSchema: z.strictObject({}),
  outputSchema: userShape.extend({
    organization: z.strictObject({ id: z.string(), name: z.string(), url_key: z.string() }),
  }),
  annotations: effects.reads,
  scopes: ['read'],
  capabilities: ['get current user', 'get account'],
  async run(_input, linear) {
    const { viewer } = await linear.query<{ viewer: Viewer }>(viewerDocument);
    const { id, name, urlKey } = viewer.organization;
    return { ...toUser(viewer), organization: { id, name, url_key: urlKey } };
  },
});
