import { z } from 'zod';
import { effects, local } from '../../../domain/effects.js';
import { defineTool } from '../../../domain/tool.js';
import { getScope, shownHits } from '../hits.js';
import { askIndex } from '../index/index.js';
import { hits, limit, prefix, query, searchConfig, settingsSchema } from '../shapes.js';

export const searchImages = defineTool({
  name: 'search_images',
  title: 'Search images',
  description: 'Find images by their captions, alternative texts and names.',
  searchWords: 'picture diagram chart figure drawing photo in our documents showing',
  inputSchema: z.strictObject({ query: query.describe('What the image shows'), limit, prefix }),
  outputSchema: z.strictObject({ hits }),
  configSchema: searchConfig,
  settingsSchema,
  annotations: local(effects.reads),
  capabilities: ['search images', 'search knowledge'],
  examples: [{ input: { query: 'network diagram' } }],
  async execute({ query, limit, prefix }, context) {
    const scope = getScope(context, { prefix, types: ['image'] });
    const { hits } = await askIndex(context, { act: 'words', query, scope, most: limit });
    return { hits: shownHits(hits) };
  },
});
