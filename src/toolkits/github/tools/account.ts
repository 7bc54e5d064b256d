import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { defineGitHubTool } from '../define-tool.js';
import { type RawUser, toUser, user } from '../shapes/people.js';

export const getAuthenticatedUser = defineGitHubTool({
  name: 'get_authenticated_user',
  title: 'Get the signed-in user',
  description: 'Whose GitHub account this connection acts with. Not for GitHub Apps, which act as no user.',
  inputSchema: z.strictObject({}),
  outputSchema: user,
  annotations: effects.reads,
  capabilities: ['get user', 'get account'],
  async execute(_input, { service }) {
    return toUser(await service.json<RawUser & { id: number }>({ path: '/user' }));
  },
});
