import { defineToolkit } from '../../domain/tool.js';

export const http = defineToolkit({
  slug: 'http',
  title: 'HTTP',
  description: 'Requests to public web addresses, behind the egress wall.',
  category: 'web',
  load: async () => [(await import('./tools/fetch-url.js')).fetchUrl],
});
