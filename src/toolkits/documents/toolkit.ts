import { defineToolkit } from '../../domain/tool.js';

export const documents = defineToolkit({
  slug: 'documents',
  title: 'Documents',
  description: 'PDF, Word, Excel and PowerPoint files made from structured content.',
  category: 'files',
  settingsFiles: ({ fonts }) => ({
    plain: Array.isArray(fonts) ? fonts.filter((path) => typeof path === 'string') : [],
  }),
  load: async () => (await import('./tools/index.js')).documentTools,
});
