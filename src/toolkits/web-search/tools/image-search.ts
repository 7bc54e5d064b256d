import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { defineTool } from '../../../domain/tool.js';
import { getEgress, searchPictures, warning } from '../search.js';
import { searchSettings } from '../settings.js';

export const imageSearch = defineTool({
  name: 'image_search',
  title: 'Search for images',
  description: 'Search the web for images and return their addresses with the pages that show them, best first.',
  searchWords: 'pictures photos photographs images of find online internet illustration logo wallpaper',
  inputSchema: z.strictObject({
    query: z.string().trim().min(1).max(500).describe('Search query'),
    num_results: z.int().min(1).max(20).default(5).describe('How many results, 1 to 20'),
  }),
  outputSchema: z.strictObject({
    results: z.array(
      z.strictObject({
        title: z.string(),
        url: z.string().describe('The page that shows it'),
        image_url: z.string(),
        thumbnail_url: z.string().optional(),
        width: z.number().optional().describe('Pixels'),
        height: z.number().optional().describe('Pixels'),
      }),
    ),
    engine: z.string().describe('Who answered'),
    warning,
  }),
  settingsSchema: searchSettings,
  annotations: effects.reads,
  capabilities: ['search images'],
  examples: [{ input: { query: 'red bicycle' } }],
  egress: getEgress,
  async execute({ query, num_results }, { settings, http, signal, workers }) {
    const found = await searchPictures({ settings, http, signal, workers, query, count: num_results });
    return { ...found, engine: settings.engine };
  },
});
