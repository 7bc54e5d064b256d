import { z } from 'zod';
import { effects, local } from '../../../domain/effects.js';
import { defineTool } from '../../../domain/tool.js';
import { getScope, shownHits } from '../hits.js';
import { askIndex } from '../index/index.js';
import { hits, limit, prefix, query, searchConfig, settingsSchema, types } from '../shapes.js';

export const searchMultimodal = defineTool({
  name: 'search_multimodal',
  title: 'Search everything',
  description: 'Find text, tables, images, formulas and code together: each type that has something is represented.',
  searchWords: 'anything everything about text pictures tables and code together all kinds in our documents',
  inputSchema: z.strictObject({ query: query.describe('Words to look for'), limit, types, prefix }),
  outputSchema: z.strictObject({ hits }),
  configSchema: searchConfig,
  settingsSchema,
  annotations: local(effects.reads),
  capabilities: ['search all types', 'search knowledge'],
  examples: [{ input: { query: 'heat pump efficiency' } }],
  async execute({ query, limit, types, prefix }, context) {
    const scope = getScope(context, { prefix, ...(types && { types }) });
    const { hits } = await askIndex(context, { act: 'multimodal', query, scope, most: limit });
    return { hits: shownHits(hits) };
  },
});
