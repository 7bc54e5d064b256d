import { defineToolkit } from '../../domain/tool.js';

export const knowledge = defineToolkit({
  slug: 'knowledge',
  title: 'Knowledge',
  description:
    'Documents, tables, images, formulas and code of the workspace, taken in once and found again with their places.',
  category: 'knowledge',
  internal: true,
  load: async () => (await import('./tools/index.js')).knowledgeTools,
});
