import { z } from 'zod';
import { effects, local } from '../../../domain/effects.js';
import { defineTool } from '../../../domain/tool.js';

/**
 * Changes nothing itself: the person connects the account, signed in as themselves, and no agent sees what they enter.
 */
export const connectApp = defineTool({
  name: 'connect_app',
  title: 'Connect an app',
  description:
    'Get the link where the person you act for connects an account of an app. Show them the link; do not open it.',
  searchWords: 'link account log in sign in authorize integrate hook up service integration',
  inputSchema: z.strictObject({ app: z.string().min(1).max(100).describe('`github`, `slack`') }),
  outputSchema: z.strictObject({ app: z.string(), url: z.string().describe('For the person') }),
  annotations: local(effects.reads),
  capabilities: ['connect app', 'connect account'],
  examples: [
    {
      input: { app: 'github' },
      output: { app: 'github', url: 'https://tools.example.com/panel/connections/connect/github' },
    },
  ],
  execute: ({ app }, { platform }) => platform.linkToConnect(app),
});
