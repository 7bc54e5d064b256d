import { z } from 'zod';
import { effects, local } from '../../../domain/effects.js';
import { defineTool } from '../../../domain/tool.js';
import { modified, path, readConfig, reading, size, type } from '../shapes.js';

export const fileInfo = defineTool({
  name: 'file_info',
  title: 'Look at a file or folder',
  description: 'Type, size and time of last change of a file or folder, without reading it. Links are followed.',
  searchWords: 'how big large size when last changed modified date exists metadata type stat',
  inputSchema: z.strictObject({ path: path.describe('The file or folder') }),
  outputSchema: z.strictObject({
    name: z.string(),
    path: z.string().describe('Where it really is'),
    type,
    size,
    modified,
  }),
  configSchema: readConfig,
  annotations: local(effects.reads),
  capabilities: ['inspect file', 'stat file'],
  examples: [{ input: { path: '/data/config.yaml' } }],
  files: reading,
  execute: ({ path: asked }, { files }) => files.stat(asked),
});
