import { z } from 'zod';
import { effects, local } from '../../../domain/effects.js';
import { defineTool } from '../../../domain/tool.js';
import { getScope, shownHits } from '../hits.js';
import { askIndex } from '../index/index.js';
import { hits, limit, prefix, query, searchConfig, settingsSchema } from '../shapes.js';

export const searchTables = defineTool({
  name: 'search_tables',
  title: 'Search tables',
  description: 'Find tables by what is in their cells, headers or captions, with the row that fits best.',
  searchWords: 'table row cell column figures price list numbers in our documents spreadsheet',
  inputSchema: z.strictObject({ query: query.describe('Words of the row, the header or the caption'), limit, prefix }),
  outputSchema: z.strictObject({ hits }),
  configSchema: searchConfig,
  settingsSchema,
  annotations: local(effects.reads),
  capabilities: ['search tables', 'search knowledge'],
  examples: [{ input: { query: 'allowance Berlin' } }],
  async execute({ query, limit, prefix }, context) {
    const scope = getScope(context, { prefix, types: ['table'] });
    const { hits } = await askIndex(context, { act: 'words', query, scope, most: limit });
    return { hits: shownHits(hits) };
  },
});
