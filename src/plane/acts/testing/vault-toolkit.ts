/** For tests: a toolkit that acts with an account and reaches nothing. */
import { z } from 'zod';
import { defineTool, defineToolkit } from '../../../domain/tool.js';

const hints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

const openVault = defineTool({
  name: 'open_vault',
  title: 'Open the vault',
  description: 'Says whose vault it is',
  inputSchema: z.strictObject({ shelf: z.string().optional() }),
  annotations: hints,
  capabilities: ['read vault'],
  execute: async ({ shelf = 'top' }, { connection }) => ({ vault: connection.name, shelf }),
});

export const vault = defineToolkit({
  slug: 'vault',
  title: 'Vault',
  description: 'For tests',
  category: 'tests',
  auth: {
    schemes: [
      {
        id: 'token',
        kind: 'api_key',
        title: 'Token',
        fields: [{ name: 'token', title: 'Token', secret: true }],
      },
    ],
  },
  load: async () => [openVault],
});
