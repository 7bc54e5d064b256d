import { z } from 'zod';
import { effects, local } from '../../../domain/effects.js';
import { toAppKey } from '../../../domain/naming/index.js';
import { defineTool } from '../../../domain/tool.js';

export const listConnections = defineTool({
  name: 'list_connections',
  title: 'List connected accounts',
  description: 'Which accounts are connected that the person you act for can see: their names and apps, nothing else.',
  searchWords: 'which accounts logins services apps integrations are linked connected signed in',
  inputSchema: z.strictObject({ app: z.string().max(100).optional().describe('Only accounts of this app') }),
  outputSchema: z.strictObject({
    connections: z.array(
      z.strictObject({
        connection: z.string().describe('The beginning of the names of its tools'),
        name: z.string(),
        app: z.string(),
        status: z.string().describe('Its tools can be used while it is active'),
      }),
    ),
  }),
  annotations: local(effects.reads),
  capabilities: ['list connections'],
  examples: [{ input: { app: 'github' } }],
  async execute({ app }, { platform }) {
    const wanted = app === undefined ? undefined : toAppKey(app);
    const found = (await platform.listConnections()).filter(
      (one) => wanted === undefined || toAppKey(one.app) === wanted,
    );
    return { connections: found.map(({ slug, ...facts }) => ({ connection: slug, ...facts })) };
  },
});
