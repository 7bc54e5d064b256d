import { z } from 'zod';
import { effects, local } from '../../../domain/effects.js';
import { defineTool } from '../../../domain/tool.js';

export const listAgents = defineTool({
  name: 'list_agents',
  title: 'List agents',
  description: 'The agents of this workspace by name: the first hundred, or those whose name has the words of search.',
  searchWords: 'which bots assistants are there who works here team of agents',
  inputSchema: z.strictObject({ search: z.string().max(200).optional().describe('Words of a name') }),
  outputSchema: z.strictObject({
    agents: z.array(z.strictObject({ agent: z.string().describe('Its name for other tools'), title: z.string() })),
    total: z.int(),
  }),
  annotations: local(effects.reads),
  capabilities: ['list agents'],
  examples: [{ input: {}, output: { agents: [{ agent: 'coder', title: 'Coder' }], total: 1 } }],
  async execute({ search }, { platform }) {
    const { agents, total } = await platform.findAgents(search);
    return { agents: agents.map(({ slug, name }) => ({ agent: slug, title: name })), total };
  },
});
