import { stat } from 'node:fs/promises';
import { z } from 'zod';
import { effects, local } from '../../../domain/effects.js';
import { HelveError } from '../../../domain/errors.js';
import { defineTool, ToolContent } from '../../../domain/tool.js';
import { defined } from '../../../util/defined.js';
import { makeDocument } from '../process.js';
import { mediaTypes } from '../render/look.js';
import { documentConfig, documentInput, documentSettings, format } from '../shapes.js';

/**
 * Renders blocks in a process of its own (`process.ts`). The file is returned in the answer or, with a path, written
 * through the file wall.
 */
export const createDocument = defineTool({
  name: 'create_document',
  title: 'Create a document',
  description:
    'Make a PDF, Word (docx), Excel (xlsx) or PowerPoint (pptx) file from blocks: headings, text, tables, charts, pictures, sheets, slides.',
  searchWords:
    'make write generate PDF Word docx Excel xlsx spreadsheet PowerPoint pptx slides presentation deck report invoice letter memo table chart export',
  inputSchema: documentInput,
  outputSchema: z.strictObject({
    format,
    bytes: z.int().min(1),
    path: z.string().optional().describe('Where the file really is'),
    notes: z.array(z.string()).describe('What this format shows differently from the input'),
  }),
  configSchema: documentConfig,
  settingsSchema: documentSettings,
  annotations: local(effects.replaces),
  idempotency: { by: 'repeatable', how: 'The same file is written again in the place of the first' },
  capabilities: ['create document'],
  examples: [
    {
      input: {
        format: 'pdf',
        title: 'Quarterly report',
        content: [
          { type: 'heading', level: 2, text: 'Summary' },
          { type: 'paragraph', text: 'Revenue grew by **12 %**; see [the figures](https://example.com/q3).' },
          {
            type: 'table',
            header: ['Region', 'Revenue'],
            rows: [
              ['North', 120],
              ['South', 95],
            ],
          },
        ],
      },
    },
    {
      input: {
        format: 'xlsx',
        path: 'budget.xlsx',
        content: [
          {
            type: 'sheet',
            name: 'Budget',
            columns: [{ header: 'Item' }, { header: 'Cost', format: 'number' }],
            rows: [
              ['Rent', 1200],
              ['Power', 85.5],
              ['Total', { formula: 'SUM(B2:B3)' }],
            ],
          },
        ],
      },
    },
    {
      input: {
        format: 'pptx',
        title: 'Plan',
        content: [
          {
            type: 'slide',
            title: 'Next steps',
            blocks: [{ type: 'list', items: ['Hire', { text: 'Build', items: ['API', 'Panel'] }] }],
            notes: 'Two minutes',
          },
        ],
      },
    },
  ],
  files: ({ allowed_paths, max_bytes }) => ({
    maxBytes: max_bytes,
    writable: true,
    ...defined({ allowedPaths: allowed_paths }),
  }),
  async execute(input, { caller, config, settings, signal, files, executionId, workers }) {
    for (const font of settings.fonts) await checkFont(font);
    const request = { input, at: Date.now(), workspaceId: caller.workspaceId, fonts: settings.fonts, signal };
    const { bytes, notes } = await makeDocument(workers, request);
    if (bytes.length > config.max_bytes) {
      const problem = `The document has ${bytes.length} bytes; the maximum here is ${config.max_bytes}`;
      throw new HelveError('too_large', problem, { hint: 'Use smaller pictures, or split it into several documents.' });
    }
    const output = { format: input.format, bytes: bytes.length, notes: [...notes] };
    if (input.path !== undefined) {
      const { path } = await files.write(input.path, bytes, 'overwrite');
      return { ...output, path };
    }
    const blob = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');
    const uri = `helve://documents/${executionId}.${input.format}`;
    return new ToolContent([{ type: 'resource', resource: { uri, mimeType: mediaTypes[input.format], blob } }], output);
  },
});

async function checkFont(path: string): Promise<void> {
  const facts = await stat(path).catch(() => undefined);
  if (facts?.isFile()) return;
  throw new HelveError('invalid_config', `The font ${path} cannot be read`, {
    hint: 'The operator must correct toolkits.documents.fonts in helve.yaml.',
  });
}
