import { z } from 'zod';
import { effects, local } from '../../../domain/effects.js';
import { defineTool } from '../../../domain/tool.js';
import { path, readConfig, reading, size } from '../shapes.js';
import { decodeText } from '../text.js';

export const readFile = defineTool({
  name: 'read_file',
  title: 'Read a file',
  description: 'Read a text file, or with binary=true the bytes of any file as base64.',
  searchWords: 'open show print view display cat contents text of what does it say what is in load look inside',
  inputSchema: z.strictObject({
    path: path.describe('The file; a relative path starts in the allowed folder'),
    encoding: z.string().min(1).max(40).default('utf-8').describe('How the text is written, e.g. windows-1252'),
    binary: z.boolean().default(false).describe('Return base64 of the bytes instead of text'),
  }),
  outputSchema: z.strictObject({
    content: z.string().describe('The text without byte order mark, or base64'),
    path: z.string().describe('Where the file really is'),
    size,
    encoding: z.string().describe('How content is to be read: the encoding of the text, or base64'),
  }),
  configSchema: readConfig,
  annotations: local(effects.reads),
  capabilities: ['read file'],
  examples: [
    { input: { path: '/data/config.yaml' } },
    { input: { path: '/data/image.png', binary: true }, note: 'Bytes come as base64' },
  ],
  files: reading,
  async execute({ path: asked, encoding, binary }, { files }) {
    const { path: real, bytes } = await files.read(asked);
    const content = binary ? Buffer.from(bytes).toString('base64') : await decodeText(bytes, encoding, asked);
    return { content, path: real, size: bytes.length, encoding: binary ? 'base64' : encoding };
  },
});
