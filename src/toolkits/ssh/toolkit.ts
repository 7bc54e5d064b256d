import { defineToolkit } from '../../domain/tool.js';
import { stringsAt } from '../../util/strings-at.js';

export const ssh = defineToolkit({
  slug: 'ssh',
  title: 'SSH',
  description: 'Commands on the machines that the operator names, by key, to host keys that are pinned.',
  category: 'system',
  settingsFiles: ({ hosts }) => ({ secret: stringsAt(hosts, 'private_key_file') }),
  load: async () => [(await import('./tools/run-ssh-command.js')).runSshCommand],
});
