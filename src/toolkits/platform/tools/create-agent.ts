import { z } from 'zod';
import { effects, local } from '../../../domain/effects.js';
import { defineTool } from '../../../domain/tool.js';
import { toolModes } from '../../../domain/tool-mode.js';
import { defined } from '../../../util/defined.js';

export const createAgent = defineTool({
  name: 'create_agent',
  title: 'Create an agent',
  description: 'Add an agent to this workspace. It has no tools until somebody grants it some: see propose_grant.',
  searchWords: 'new bot assistant set up another agent hire add helper',
  inputSchema: z.strictObject({
    agent: z
      .string()
      .regex(/^[a-z][a-z0-9-]{0,47}$/, 'begins with a letter and has up to 48 lower-case letters, digits and hyphens')
      .describe('Its name in addresses and for other tools'),
    title: z.string().min(1).max(100).optional().describe('What people see. Default: the name'),
    tool_mode: z.enum(toolModes).optional().describe('How it sees its tools. Default: auto'),
  }),
  outputSchema: z.strictObject({ agent: z.string(), title: z.string() }),
  annotations: local(effects.creates),
  idempotency: { by: 'ask', how: 'An agent of this name may be there because of this call, or because of another one' },
  highRisk: true,
  approver: { permissions: ['agents:write'] },
  capabilities: ['create agent'],
  examples: [{ input: { agent: 'scout', title: 'Scout' }, output: { agent: 'scout', title: 'Scout' } }],
  check: (_input, { platform }) => platform.requireRight('agents:write'),
  async execute({ agent, title, tool_mode }, { platform }) {
    const made = await platform.createAgent({ slug: agent, ...defined({ name: title, toolMode: tool_mode }) });
    return { agent: made.slug, title: made.name };
  },
});
