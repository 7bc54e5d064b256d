import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { defineTool } from '../../../domain/tool.js';
import { getEgress, searchPages, warning } from '../search.js';
import { searchSettings } from '../settings.js';

export const webSearchTool = defineTool({
  name: 'web_search',
  title: 'Search the web',
  description: 'Search the web and return titles, addresses and snippets, best first. Read a page with fetch_page.',
  searchWords:
    'google look up online internet find out news articles websites sources information about latest research',
  inputSchema: z.strictObject({
    query: z.string().trim().min(1).max(500).describe('Search query'),
    num_results: z.int().min(1).max(20).default(5).describe('How many results, 1 to 20'),
  }),
  outputSchema: z.strictObject({
    results: z.array(z.strictObject({ title: z.string(), url: z.string(), snippet: z.string() })),
    engine: z.string().describe('Who answered'),
    warning,
  }),
  settingsSchema: searchSettings,
  annotations: effects.reads,
  capabilities: ['search web'],
  examples: [{ input: { query: 'python xml parsing best practices', num_results: 10 } }],
  egress: getEgress,
  async execute({ query, num_results }, { settings, http, signal, workers }) {
    const found = await searchPages({ settings, http, signal, workers, query, count: num_results });
    return { ...found, engine: settings.engine };
  },
});
