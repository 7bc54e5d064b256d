// For `helve serve --toolkit`: a toolkit whose service is the authorisation server's own resource, which says whose token it got.

import { defineTool, defineToolkit } from 'helve';
import { z } from 'zod';

const settingsSchema = z.strictObject({ base_url: z.string() });

const whoAmI = defineTool({
  name: 'who_am_i',
  title: 'Who am I',
  description: 'Whose account this is',
  capabilities: ['get account'],
  inputSchema: z.strictObject({}),
  settingsSchema,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  scopes: ['openid'],
  execute: async (_, { service }) => service.json({ path: '/me' }),
});

export const vendor = defineToolkit({
  slug: 'vendor',
  title: 'Vendor',
  description: 'A service for tests',
  category: 'tests',
  auth: {
    schemes: [
      { id: 'oauth2', kind: 'oauth2', title: 'Sign in', provider: 'vendor', scopes: ['openid', 'offline_access'] },
    ],
  },
  service: { servers: (settings) => ({ default: { url: String(settings.base_url), named: true } }) },
  load: async () => [whoAmI],
});
