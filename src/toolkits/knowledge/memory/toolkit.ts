import { defineToolkit } from '../../../domain/tool.js';

export const memory = defineToolkit({
  slug: 'memory',
  title: 'Memory',
  description: 'What agents remember between conversations, for themselves or for the whole workspace.',
  category: 'knowledge',
  internal: true,
  load: async () => (await import('./tools/index.js')).memoryTools,
});
