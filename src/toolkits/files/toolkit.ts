import { defineToolkit } from '../../domain/tool.js';

export const files = defineToolkit({
  slug: 'files',
  title: 'Files',
  description: 'Files and folders of the machine, confined to the folders that the operator allows.',
  category: 'files',
  load: async () => (await import('./tools/index.js')).fileTools,
});
