import { z } from 'zod';
import { effects, local } from '../../../domain/effects.js';
import { HelveError } from '../../../domain/errors.js';
import { defineTool } from '../../../domain/tool.js';
import { allowedDocument } from '../limits.js';
import { openLibrary } from '../open-library.js';
import { documentPath } from '../paths.js';
import { collection, configSchema, egress, settingsSchema } from '../shapes.js';

/** `destructiveHint`, because a document with the same path is replaced and cannot be restored. */
export const librarianStore = defineTool({
  name: 'librarian_store',
  title: 'Store an XML document',
  description: 'Store a well-formed XML document in a collection, replacing one of the same name.',
  searchWords: 'save put XML document collection archive add',
  inputSchema: z.strictObject({
    collection,
    document_name: z.string().min(1).max(255).describe('File name of the document, e.g. conversation-001.xml'),
    content: z.string().min(1).describe('Well-formed XML with one root element and without a DOCTYPE'),
  }),
  outputSchema: z.strictObject({ path: z.string().describe('Full path of the stored document') }),
  configSchema,
  settingsSchema,
  annotations: local(effects.replaces),
  idempotency: { by: 'repeatable', how: 'The same document is stored again in the place of the first' },
  capabilities: ['store document'],
  examples: [
    {
      input: { collection: '/db/agents/greeter', document_name: 'conversation-001.xml', content: '<thread/>' },
      output: { path: '/db/agents/greeter/conversation-001.xml' },
    },
  ],
  egress,
  async execute(input, context) {
    const path = allowedDocument(context, documentPath(input.collection, input.document_name));
    const bytes = Buffer.byteLength(input.content);
    const { max_document_bytes: most } = context.config;
    if (bytes > most) {
      const problem = `The document has ${bytes} bytes; at most ${most} are allowed`;
      throw new HelveError('too_large', problem, { hint: 'Store it in parts.' });
    }
    const library = await openLibrary(context);
    await library.store(path, input.content);
    return { path };
  },
});
