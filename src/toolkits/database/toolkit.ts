import { defineToolkit } from '../../spec/tool.js';

export const database = defineToolkit({
  slug: 'database',
  title: 'Database',
  description:
    'Questions to PostgreSQL and SQLite databases that the operator named, read-only unless he says otherwise.',
  category: 'data',
  load: async () => (await import('./tools/index.js')).databaseTools,
});
