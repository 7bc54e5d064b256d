import { defineToolkit } from '../../domain/tool.js';
import { sqliteFiles } from '../../util/sqlite-files.js';
import { stringsAt } from '../../util/strings-at.js';

export const database = defineToolkit({
  slug: 'database',
  title: 'Database',
  description:
    'Questions to PostgreSQL and SQLite databases that the operator named, read-only unless the operator says otherwise.',
  category: 'data',
  internal: true,
  settingsFiles: ({ connections }) => ({
    secret: stringsAt(connections, 'url')
      .filter((url) => url.startsWith('sqlite:'))
      .flatMap((url) => sqliteFiles(url.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, ''))),
  }),
  load: async () => (await import('./tools/index.js')).databaseTools,
});
