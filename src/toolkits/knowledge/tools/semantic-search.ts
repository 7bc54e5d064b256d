import { z } from 'zod';
import { effects, local } from '../../../domain/effects.js';
import { HelveError } from '../../../domain/errors.js';
import { defineTool } from '../../../domain/tool.js';
import { getScope, shownHits } from '../hits.js';
import { askIndex } from '../index/index.js';
import { hits, limit, prefix, query, searchConfig, settingsSchema, types } from '../shapes.js';

/** Without a model, or without vectors of that model, it searches by words and says so. */
export const semanticSearch = defineTool({
  name: 'semantic_search',
  title: 'Search by meaning',
  description: 'Find what means the same, even in other words. method tells whether a model or only words were used.',
  searchWords: 'similar meaning related idea concept paraphrase in other words our documents something like about',
  inputSchema: z.strictObject({ query: query.describe('A question or a statement'), limit, types, prefix }),
  outputSchema: z.strictObject({
    hits,
    method: z.enum(['semantic', 'lexical']),
    model: z.string().optional(),
    note: z.string().optional().describe('Why it was lexical, or what was not looked at'),
  }),
  configSchema: searchConfig,
  settingsSchema,
  annotations: local(effects.reads),
  capabilities: ['search knowledge by meaning', 'find document'],
  examples: [{ input: { query: 'How much may I spend on food while travelling?' } }],
  models: true,
  async execute({ query, limit, types, prefix }, context) {
    const scope = getScope(context, { prefix, ...(types && { types }) });
    const lexical = async (note: string) => {
      const { hits } = await askIndex(context, { act: 'words', query, scope, most: limit });
      return { hits: shownHits(hits), method: 'lexical' as const, note };
    };
    const { embedding } = context.models;
    if (!embedding) return lexical('No embedding model is configured (models.embedding in helve.yaml).');
    const [vector] = await embedding.embed([query]);
    if (!vector?.length) throw new HelveError('upstream_failed', `${embedding.id} did not answer with a vector`);
    const { hits, without } = await askIndex(context, {
      act: 'near' as const,
      query,
      vector,
      model: embedding.id,
      scope,
      most: limit,
    });
    const missing = `${without} elements have no vectors of ${embedding.id}; ingest their sources again`;
    if (hits.length === 0 && without > 0) return lexical(`${missing}.`);
    const answer = { hits: shownHits(hits), method: 'semantic' as const, model: embedding.id };
    return without > 0 ? { ...answer, note: `${missing} to have them found here.` } : answer;
  },
});
