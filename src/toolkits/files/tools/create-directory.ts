import { z } from 'zod';
import { effects, local } from '../../../domain/effects.js';
import { defineTool } from '../../../domain/tool.js';
import { changeConfig, changing, path } from '../shapes.js';

export const createDirectory = defineTool({
  name: 'create_directory',
  title: 'Create a folder',
  description: 'Create a folder and the missing folders above it. A folder that already exists is left as it is.',
  searchWords: 'make new folder mkdir subfolder',
  inputSchema: z.strictObject({ path: path.describe('The folder; a relative path starts in the allowed folder') }),
  outputSchema: z.strictObject({
    path: z.string().describe('Where the folder really is'),
    created: z.boolean().describe('False: it already existed'),
  }),
  configSchema: changeConfig,
  annotations: local(effects.createsOnce),
  idempotency: { by: 'repeatable', how: 'A folder that already exists is left unchanged' },
  capabilities: ['create directory'],
  examples: [{ input: { path: '/output/reports/2026' }, output: { path: '/output/reports/2026', created: true } }],
  files: changing,
  execute: ({ path: asked }, { files }) => files.createDirectory(asked),
});
