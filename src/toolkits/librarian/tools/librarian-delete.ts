import { z } from 'zod';
import { effects, local } from '../../../domain/effects.js';
import { defineTool } from '../../../domain/tool.js';
import { allowedDocument } from '../limits.js';
import { openLibrary } from '../open-library.js';
import { configSchema, egress, path, settingsSchema } from '../shapes.js';

/** The risk is `destructive`: other agents of the workspace may rely on the document. */
export const librarianDelete = defineTool({
  name: 'librarian_delete',
  title: 'Delete an XML document',
  description: 'Delete a stored XML document by its full path.',
  searchWords: 'remove erase XML document from collection',
  inputSchema: z.strictObject({ path }),
  outputSchema: z.strictObject({ deleted: z.boolean().describe('Whether it existed') }),
  configSchema,
  settingsSchema,
  annotations: local(effects.replaces),
  idempotency: { by: 'repeatable', how: 'Deleting a document again changes nothing' },
  risk: 'destructive',
  capabilities: ['delete document'],
  examples: [{ input: { path: '/db/agents/greeter/conversation-001.xml' }, output: { deleted: true } }],
  egress,
  async execute(input, context) {
    const wanted = allowedDocument(context, input.path);
    return { deleted: await (await openLibrary(context)).delete(wanted) };
  },
});
