import { defineToolkit } from '../../domain/tool.js';

export const math = defineToolkit({
  slug: 'math',
  title: 'Math',
  description: 'Exact arithmetic in Python syntax.',
  category: 'utilities',
  load: async () => [(await import('./tools/calculate.js')).calculate],
});
