import { z } from 'zod';
import { effects, local } from '../../../domain/effects.js';
import { defineTool } from '../../../domain/tool.js';
import { ingestFiles as ingest } from '../ingest-files.js';
import { counts, ingestFilesConfig, readable, settingsSchema } from '../shapes.js';

export const ingestFiles = defineTool({
  name: 'ingest_files',
  title: 'Ingest files',
  description:
    'Take a file, or all files of a folder, into the knowledge of the workspace. Unchanged files are skipped, so a call that was stopped can be made again. The caption of image.png may stand in image.png.txt or image.png.caption.',
  searchWords:
    'learn add import folder directory of documents knowledge base index pdfs manuals make searchable read in',
  inputSchema: z.strictObject({
    path: z.string().min(1).max(8_192).describe('File or folder; a relative path starts in the allowed folder'),
    pattern: z.string().min(1).max(500).optional().describe('Glob of files below it, e.g. *.md or docs/**/*.pdf'),
  }),
  outputSchema: z.strictObject({
    ingested: z.int().min(0),
    unchanged: z.int().min(0),
    failures: z.int().min(0),
    failed: z
      .array(z.strictObject({ path: z.string(), code: z.string(), message: z.string() }))
      .describe('Why, for the first 100 that failed'),
    elements: counts,
    notes: z
      .array(z.strictObject({ note: z.string(), path: z.string(), files: z.int().min(1) }))
      .describe('What could not be read or was left out, with the first such file and how many there are'),
    truncated: z.boolean().describe('There were more files than one call ingests'),
  }),
  configSchema: ingestFilesConfig,
  settingsSchema,
  annotations: local(effects.createsOnce),
  idempotency: { by: 'repeatable', how: 'A source that has not changed is skipped' },
  capabilities: ['ingest files', 'index folder'],
  examples: [{ input: { path: '/data/handbook', pattern: '*.md' } }],
  timeoutMs: 3_600_000,
  files: readable,
  models: true,
  execute: ({ path, pattern }, context) => ingest(context, path, pattern),
});
