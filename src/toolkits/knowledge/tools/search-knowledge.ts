import { z } from 'zod';
import { effects, local } from '../../../domain/effects.js';
import { defineTool } from '../../../domain/tool.js';
import { getScope, shownHits } from '../hits.js';
import { askIndex } from '../index/index.js';
import { hits, limit, prefix, query, searchConfig, settingsSchema, types } from '../shapes.js';

export const searchKnowledge = defineTool({
  name: 'search_knowledge',
  title: 'Search knowledge',
  description: 'Find text, tables, images, formulas and code by words in what the workspace has ingested.',
  searchWords:
    'look up in our documents manual handbook policy what do our docs say about knowledge base answer find passage',
  inputSchema: z.strictObject({ query: query.describe('Words to look for'), limit, types, prefix }),
  outputSchema: z.strictObject({ hits }),
  configSchema: searchConfig,
  settingsSchema,
  annotations: local(effects.reads),
  capabilities: ['search knowledge', 'find document'],
  examples: [{ input: { query: 'daily allowance', types: ['text', 'table'] } }],
  async execute({ query, limit, types, prefix }, context) {
    const scope = getScope(context, { prefix, ...(types && { types }) });
    const { hits } = await askIndex(context, { act: 'words', query, scope, most: limit });
    return { hits: shownHits(hits) };
  },
});
