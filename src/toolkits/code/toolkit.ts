import { defineToolkit } from '../../domain/tool.js';

export const code = defineToolkit({
  slug: 'code',
  title: 'Code',
  description: 'Programs in a sandbox that reaches nothing: calculations, and work on data that is handed in.',
  category: 'code',
  load: async () => (await import('./tools/index.js')).codeTools,
});
