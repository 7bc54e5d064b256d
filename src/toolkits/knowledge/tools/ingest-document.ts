import { z } from 'zod';
import { effects, local } from '../../../domain/effects.js';
import { HelveError } from '../../../domain/errors.js';
import { defineTool } from '../../../domain/tool.js';
import { ingestSource } from '../ingest.js';
import { counts, ingestConfig, settingsSchema } from '../shapes.js';

/** Takes the content from the call itself; `ingest_files` takes it from folders. */
export const ingestDocument = defineTool({
  name: 'ingest_document',
  title: 'Ingest a document',
  description:
    'Take a document into the knowledge of the workspace: Markdown, HTML, PDF, DOCX, XLSX, PPTX, EML, CSV, source code, text, or an image with a caption. A source of the same path is replaced.',
  searchWords:
    'learn add upload text manual notes knowledge base remember this document import article make searchable',
  inputSchema: z.strictObject({
    path: z.string().min(1).max(1_024).describe('Name of the source as hits will cite it, e.g. handbook/travel.md'),
    content: z.string().optional().describe('The text; either this or content_base64'),
    content_base64: z.string().optional().describe('The bytes of a PDF, DOCX, XLSX, PPTX or image'),
    media_type: z.string().max(200).optional().describe('E.g. text/markdown; default: by content and name'),
    caption: z.string().regex(/\S/, 'holds something').max(4_000).optional().describe('What an image shows'),
  }),
  outputSchema: z.strictObject({
    path: z.string(),
    elements: counts,
    unchanged: z.boolean().describe('Exactly the same source was already ingested'),
    notes: z.array(z.string()).describe('What could not be read or was left out'),
  }),
  configSchema: ingestConfig,
  settingsSchema,
  annotations: local(effects.createsOnce),
  idempotency: { by: 'repeatable', how: 'A source that has not changed is skipped' },
  capabilities: ['ingest document', 'add knowledge'],
  examples: [{ input: { path: 'handbook/travel.md', content: '# Travel\n\nThe daily allowance is 28 euros.' } }],
  timeoutMs: 300_000,
  models: true,
  async execute({ path, content, content_base64, media_type, caption }, context) {
    if ((content === undefined) === (content_base64 === undefined)) {
      throw new HelveError('invalid_input', 'Either content or content_base64 is needed, and not both', {
        hint: 'Text goes into content; bytes go into content_base64.',
      });
    }
    const bytes = content === undefined ? decode(content_base64 ?? '') : Buffer.from(content);
    return ingestSource(context, { path, bytes, mediaType: media_type, caption });
  },
});

function decode(base64: string): Uint8Array {
  const text = base64.replace(/\s+/g, '');
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) {
    throw new HelveError('invalid_input', 'content_base64 is not base64', { hint: 'Send text in content instead.' });
  }
  return Buffer.from(text, 'base64');
}
