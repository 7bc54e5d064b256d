import { z } from 'zod';
import { effects, local } from '../../../domain/effects.js';
import { HelveError } from '../../../domain/errors.js';
import { defineTool } from '../../../domain/tool.js';
import { allowedDocument } from '../limits.js';
import { openLibrary } from '../open-library.js';
import { configSchema, egress, path, settingsSchema } from '../shapes.js';

export const librarianGet = defineTool({
  name: 'librarian_get',
  title: 'Get an XML document',
  description: 'Read a stored XML document by its full path.',
  searchWords: 'open read show XML document by path fetch',
  inputSchema: z.strictObject({ path }),
  outputSchema: z.strictObject({ content: z.string().describe('The XML') }),
  configSchema,
  settingsSchema,
  annotations: local(effects.reads),
  capabilities: ['get document'],
  examples: [{ input: { path: '/db/agents/greeter/conversation-001.xml' }, output: { content: '<thread/>' } }],
  egress,
  async execute(input, context) {
    const wanted = allowedDocument(context, input.path);
    const content = await (await openLibrary(context)).get(wanted);
    if (content === undefined) {
      const hint = 'List the documents with librarian_list.';
      throw new HelveError('not_found', `There is no document ${wanted}`, { hint });
    }
    return { content };
  },
});
