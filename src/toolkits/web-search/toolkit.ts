import { defineToolkit } from '../../domain/tool.js';

export const webSearch = defineToolkit({
  slug: 'web_search',
  title: 'Web search',
  description: 'Pages and images of the web, through the search engine that the operator chose.',
  category: 'web',
  load: async () => (await import('./tools/index.js')).webSearchTools,
});
