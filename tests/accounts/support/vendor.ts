/** A toolkit whose service is the authorisation server's own resource, which says whose token it got. */
import { z } from 'zod';
import { defineTool, defineToolkit, type ToolkitDefinition } from '../../../src/domain/tool.js';

const settingsSchema = z.strictObject({ base_url: z.string() });
const hints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true };

const whoAmI = defineTool({
  name: 'who_am_i',
  title: 'Who am I',
  description: 'Whose account this is',
  capabilities: ['get account'],
  inputSchema: z.strictObject({}),
  settingsSchema,
  annotations: hints,
  scopes: ['openid'],
  execute: async (_, { service }) => service.json({ path: '/me' }),
});

const writeThing = defineTool({
  name: 'write_thing',
  title: 'Write',
  description: 'Needs more',
  capabilities: ['write thing'],
  inputSchema: z.strictObject({}),
  settingsSchema,
  annotations: { ...hints, readOnlyHint: false },
  scopes: ['openid', 'api:write'],
  execute: async (_, { service }) => service.json({ path: '/me' }),
});

export const vendor: ToolkitDefinition = defineToolkit({
  slug: 'vendor',
  title: 'Vendor',
  description: 'A service for tests',
  category: 'tests',
  auth: {
    schemes: [
      { id: 'oauth2', kind: 'oauth2', title: 'Sign in', provider: 'vendor', scopes: ['openid', 'offline_access'] },
    ],
    identify: async (service) => {
      const { sub, email } = await service.json<{ sub: string; email: string }>({ path: '/me' });
      return { id: sub, email };
    },
  },
  service: { servers: (settings) => ({ default: { url: String(settings.base_url), named: true } }) },
  load: async () => [whoAmI, writeThing],
});
