/** People and bots. */
import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { get, nextCursor, type Paged, postRepeatable } from '../api.js';
import { defineSlackTool } from '../define-tool.js';
import { cursor, limit, next_cursor, user } from '../inputs.js';
import { currentUserRecord, userRecord } from '../shapes/user.js';

interface One {
  readonly user: object;
}

export const listUsers = defineSlackTool({
  name: 'list_users',
  title: 'List users',
  description: 'The people and bots of the workspace, those who left it too (is_deleted).',
  inputSchema: z.strictObject({ limit: limit(200), cursor }),
  outputSchema: z.strictObject({ users: z.array(userRecord.shape), next_cursor }),
  annotations: effects.reads,
  scopes: ['users:read'],
  capabilities: ['list users'],
  async execute(input, { service }) {
    const list = await get<Paged & { members: readonly object[] }>(service, 'users.list', input);
    return { users: list.members.map(userRecord.read), next_cursor: nextCursor(list) };
  },
});

export const getUser = defineSlackTool({
  name: 'get_user',
  title: 'Get a user',
  description: 'One person or bot by id.',
  inputSchema: z.strictObject({ user }),
  outputSchema: userRecord.shape,
  annotations: effects.reads,
  scopes: ['users:read'],
  capabilities: ['get user'],
  async execute(input, { service }) {
    return userRecord.read((await get<One>(service, 'users.info', input)).user);
  },
});

export const findUserByEmail = defineSlackTool({
  name: 'find_user_by_email',
  title: 'Find a user by e-mail address',
  description: 'The person who is registered with exactly this address.',
  inputSchema: z.strictObject({
    email: z
      .string()
      .max(254)
      .regex(/^[^\s@]+@[^\s@]+$/),
  }),
  outputSchema: userRecord.shape,
  annotations: effects.reads,
  scopes: ['users:read', 'users:read.email'],
  capabilities: ['find user'],
  async execute(input, { service }) {
    return userRecord.read((await get<One>(service, 'users.lookupByEmail', input)).user);
  },
});

export const getCurrentUser = defineSlackTool({
  name: 'get_current_user',
  title: 'Get the signed-in user',
  description: 'Whose account this connection acts with, and in which workspace.',
  inputSchema: z.strictObject({}),
  outputSchema: currentUserRecord.shape,
  annotations: effects.reads,
  capabilities: ['get current user', 'get account'],
  async execute(_input, { service }) {
    return currentUserRecord.read(await postRepeatable<object>(service, 'auth.test', {}));
  },
});
