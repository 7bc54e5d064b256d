/** The people of a workspace. */
import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { nextCursor, type Page, selectPage } from '../client.js';
import { defineLinearRecord, one } from '../define-record.js';
import { defineLinearTool } from '../define-tool.js';
import { next_cursor, paging, toPageVariables } from '../inputs.js';
import { userRecord } from '../shapes/people.js';

const listDocument = `query ListUsers($first: Int, $after: String, $includeDisabled: Boolean) {
  users(first: $first, after: $after, includeDisabled: $includeDisabled) { ${selectPage(userRecord)} }
}`;

export const listUsers = defineLinearTool({
  name: 'list_users',
  title: 'List users',
  description: 'The people of the workspace.',
  inputSchema: z.strictObject({ include_disabled: z.boolean().default(false), ...paging }),
  outputSchema: z.strictObject({ users: z.array(userRecord.shape), next_cursor }),
  annotations: effects.reads,
  scopes: ['read'],
  capabilities: ['list users'],
  async run(input, linear) {
    const variables = { ...toPageVariables(input), includeDisabled: input.include_disabled };
    const { users } = await linear.query<{ users: Page }>(listDocument, variables);
    return { users: users.nodes.map(userRecord.read), next_cursor: nextCursor(users) };
  },
});

const viewerRecord = defineLinearRecord({
  ...userRecord.fields,
  organization: one('organization', defineLinearRecord({ id: z.string(), name: z.string(), url_key: z.string() })),
});
const viewerDocument = `query Viewer { viewer { ${viewerRecord.selection} } }`;

export const getCurrentUser = defineLinearTool({
  name: 'get_current_user',
  title: 'Get the signed-in user',
  description: 'Whose account this connection acts with, and in which workspace.',
  inputSchema: z.strictObject({}),
  outputSchema: viewerRecord.shape,
  annotations: effects.reads,
  scopes: ['read'],
  capabilities: ['get current user', 'get account'],
  async run(_input, linear) {
    return viewerRecord.read((await linear.query<{ viewer: object }>(viewerDocument)).viewer);
  },
});
