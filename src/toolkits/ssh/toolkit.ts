import { defineToolkit } from '../../spec/tool.js';

export const ssh = defineToolkit({
  slug: 'ssh',
  title: 'SSH',
  description: 'Commands on the machines that the operator names, by key, to host keys that are pinned.',
  category: 'system',
  load: async () => [(await import('./tools/run-ssh-command.js')).runSshCommand],
});
