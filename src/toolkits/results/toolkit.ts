import { defineToolkit } from '../../domain/tool.js';

export const results = defineToolkit({
  slug: 'results',
  title: 'Results',
  description: 'Long results of earlier calls, read in parts.',
  category: 'plane',
  internal: true,
  load: async () => [(await import('./tools/result-read.js')).resultRead],
});
