import { z } from 'zod';
import { effects, local } from '../../../domain/effects.js';
import { defineTool } from '../../../domain/tool.js';
import { allowedCollection } from '../limits.js';
import { openLibrary } from '../open-library.js';
import { configSchema, egress, optionalCollection, settingsSchema } from '../shapes.js';

export const librarianSearch = defineTool({
  name: 'librarian_search',
  title: 'Search XML documents',
  description: 'Find stored XML documents by words, best first, with the place where they occur.',
  searchWords: 'find XML documents that mention words full text',
  inputSchema: z.strictObject({
    query: z.string().min(1).max(1_000).describe('Words to look for; case and accents do not matter'),
    collection: optionalCollection,
    num_results: z.int().min(1).max(100).default(10).describe('Maximum number'),
  }),
  outputSchema: z.strictObject({
    results: z.array(z.strictObject({ path: z.string(), score: z.number(), snippet: z.string() })),
  }),
  configSchema,
  settingsSchema,
  annotations: local(effects.reads),
  capabilities: ['search documents'],
  examples: [{ input: { query: 'error handling', collection: '/db/agents' } }],
  egress,
  async execute(input, context) {
    const within = allowedCollection(context, input.collection);
    const results = await (await openLibrary(context)).search(input.query, within, input.num_results);
    return { results: results.map(({ path, score, snippet }) => ({ path, score, snippet })) };
  },
});
