import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { defineGitHubRequest } from '../define-tool.js';
import { userRecord } from '../shapes/people.js';

export const getAuthenticatedUser = defineGitHubRequest({
  name: 'get_authenticated_user',
  title: 'Get the signed-in user',
  description: 'Whose GitHub account this connection acts with. Not for GitHub Apps, which act as no user.',
  inputSchema: z.strictObject({}),
  annotations: effects.reads,
  scopes: [],
  capabilities: ['get user', 'get account'],
  request: 'GET /user',
  answer: userRecord,
});
