import { z } from 'zod';
import { effects, local } from '../../../domain/effects.js';
import { defineTool } from '../../../domain/tool.js';
import { allowedCollection } from '../limits.js';
import { openLibrary } from '../open-library.js';
import { configSchema, egress, optionalCollection, settingsSchema } from '../shapes.js';

export const librarianList = defineTool({
  name: 'librarian_list',
  title: 'List XML documents',
  description: 'List the stored XML documents of a collection and those below it, by path.',
  searchWords: 'which XML documents are in the collection show contents',
  inputSchema: z.strictObject({
    collection: optionalCollection,
    limit: z.int().min(1).max(5_000).default(500).describe('Maximum number'),
  }),
  outputSchema: z.strictObject({
    documents: z.array(
      z.strictObject({ path: z.string(), updated_at: z.string().optional().describe('ISO 8601, where it is known') }),
    ),
    truncated: z.boolean().describe('Whether there are more'),
  }),
  configSchema,
  settingsSchema,
  annotations: local(effects.reads),
  capabilities: ['list documents'],
  examples: [{ input: { collection: '/db/agents' } }],
  egress,
  async execute(input, context) {
    const within = allowedCollection(context, input.collection);
    const { documents, truncated } = await (await openLibrary(context)).list(within, input.limit);
    return { documents: documents.map((document) => ({ ...document })), truncated };
  },
});
