import { defineToolkit } from '../../domain/tool.js';

export const shell = defineToolkit({
  slug: 'shell',
  title: 'Commands',
  description: 'Programs of the machine, run in a sandbox that is new for each call.',
  category: 'system',
  load: async () => [(await import('./tools/run-command.js')).runCommand],
});
