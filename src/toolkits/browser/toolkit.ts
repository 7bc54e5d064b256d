import { defineToolkit } from '../../domain/tool.js';

export const browser = defineToolkit({
  slug: 'browser',
  title: 'Browser',
  description: 'Web pages as a person would read them, and as they look, in a real browser behind the egress wall.',
  category: 'web',
  load: async () => (await import('./tools/index.js')).browserTools,
});
