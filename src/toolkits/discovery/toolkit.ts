import { defineToolkit } from '../../domain/tool.js';

/** The tools that an agent sees in place of its own, if it has very many tools or writes programs. */
export const discovery = defineToolkit({
  slug: 'discovery',
  title: 'Tool discovery',
  description: 'Finds, describes and calls the tools that the caller may use, and runs programs over them.',
  category: 'plane',
  internal: true,
  load: async () => {
    const { searchTools } = await import('./tools/search-tools.js');
    const { describeTools } = await import('./tools/describe-tools.js');
    const { callTool } = await import('./tools/call-tool.js');
    const { runCode } = await import('./tools/run-code.js');
    const { runStatus } = await import('./tools/run-status.js');
    return [searchTools, describeTools, callTool, runCode, runStatus];
  },
});
