import { defineToolkit } from '../../domain/tool.js';

/** What an agent with very many tools sees in place of them. The code runner of code mode will stand here too. */
export const discovery = defineToolkit({
  slug: 'discovery',
  title: 'Tool discovery',
  description: 'Finds, describes and calls the tools that the caller may use.',
  category: 'plane',
  internal: true,
  load: async () => {
    const { searchTools } = await import('./tools/search-tools.js');
    const { describeTools } = await import('./tools/describe-tools.js');
    const { callTool } = await import('./tools/call-tool.js');
    return [searchTools, describeTools, callTool];
  },
});
