import { defineToolkit } from '../../domain/tool.js';

export const librarian = defineToolkit({
  slug: 'librarian',
  title: 'Librarian',
  description: 'XML documents in collections: store, read, query with XQuery, search by words.',
  category: 'storage',
  load: async () => (await import('./tools/index.js')).librarianTools,
});
