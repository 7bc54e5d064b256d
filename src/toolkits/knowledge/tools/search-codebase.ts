import { z } from 'zod';
import { effects, local } from '../../../domain/effects.js';
import { defineTool } from '../../../domain/tool.js';
import { getScope, shownHits } from '../hits.js';
import { askIndex } from '../index/index.js';
import { hits, language, limit, prefix, query, searchConfig, settingsSchema } from '../shapes.js';

export const searchCodebase = defineTool({
  name: 'search_codebase',
  title: 'Search code',
  description:
    'Find functions, classes and other symbols by name or part of it, and code by its text, with line numbers.',
  searchWords: 'where is function class method symbol defined source code repository implementation variable used',
  inputSchema: z.strictObject({
    query: query.describe('A name (parseConfig, parse config) or text of the code'),
    kind: z.enum(['symbol', 'text']).optional().describe('Default: both'),
    language,
    limit,
    prefix,
  }),
  outputSchema: z.strictObject({ hits }),
  configSchema: searchConfig,
  settingsSchema,
  annotations: local(effects.reads),
  capabilities: ['search code', 'find symbol'],
  examples: [{ input: { query: 'parseConfig', kind: 'symbol', language: 'typescript' } }],
  async execute({ query, kind, language, limit, prefix }, context) {
    const scope = getScope(context, { prefix, language, ...(kind === 'text' && { types: ['code' as const] }) });
    const act = kind === 'symbol' ? 'symbols' : kind === 'text' ? 'words' : 'codebase';
    const { hits } = await askIndex(context, { act, query, scope, most: limit });
    return { hits: shownHits(hits) };
  },
});
