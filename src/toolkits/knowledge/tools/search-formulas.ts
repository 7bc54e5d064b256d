import { z } from 'zod';
import { effects, local } from '../../../domain/effects.js';
import { defineTool } from '../../../domain/tool.js';
import { getScope, shownHits } from '../hits.js';
import { askIndex } from '../index/index.js';
import { hits, limit, prefix, query, searchConfig, settingsSchema } from '../shapes.js';

export const searchFormulas = defineTool({
  name: 'search_formulas',
  title: 'Search formulas',
  description:
    'Find formulas by their shape, however they are written (LaTeX, MathML, Word, a spreadsheet), or by words near them.',
  searchWords: 'equation formula mathematical expression integral in our documents papers latex',
  inputSchema: z.strictObject({
    query: query.describe('A formula, e.g. E = mc^2 or \\\frac{a}{b}, or words near it'),
    limit,
    prefix,
  }),
  outputSchema: z.strictObject({ hits }),
  configSchema: searchConfig,
  settingsSchema,
  annotations: local(effects.reads),
  capabilities: ['search formulas', 'search knowledge'],
  examples: [{ input: { query: '\\\frac{-b \\pm \\sqrt{b^2-4ac}}{2a}' } }],
  async execute({ query, limit, prefix }, context) {
    const scope = getScope(context, { prefix });
    const { hits } = await askIndex(context, { act: 'formulas', query, scope, most: limit });
    return { hits: shownHits(hits) };
  },
});
