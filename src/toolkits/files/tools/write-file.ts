import { z } from 'zod';
import { effects, local } from '../../../domain/effects.js';
import { HelveError } from '../../../domain/errors.js';
import { defineTool } from '../../../domain/tool.js';
import { changeConfig, changing, path } from '../shapes.js';
import { decodeBase64, encodeText } from '../text.js';

export const writeFile = defineTool({
  name: 'write_file',
  title: 'Write a file',
  description: 'Write a file, replacing what was there, or append to it. Its folder must exist.',
  searchWords: 'save store create new edit update overwrite append add line text to disk note down put into',
  inputSchema: z.strictObject({
    path: path.describe('The file; a relative path starts in the allowed folder'),
    content: z.string().describe('The text, or base64 with binary=true'),
    mode: z.enum(['overwrite', 'append']).default('overwrite'),
    encoding: z.string().min(1).max(40).default('utf-8').describe('How to write the text, e.g. windows-1252'),
    binary: z.boolean().default(false).describe('The content is base64 of the bytes to write'),
  }),
  outputSchema: z.strictObject({
    bytes_written: z.int().min(0),
    path: z.string().describe('Where the file really is'),
  }),
  configSchema: changeConfig,
  annotations: local(effects.runs),
  idempotency: {
    by: 'probe',
    how: 'Writing the whole file again changes nothing; what was appended is left to a person',
  },
  capabilities: ['write file', 'append file'],
  examples: [
    { input: { path: '/output/result.txt', content: 'Hello, world!' } },
    { input: { path: '/logs/agent.log', content: 'New entry\n', mode: 'append' } },
  ],
  files: changing,
  async execute({ path: asked, content, mode, encoding, binary }, { files }) {
    const bytes = binary ? decodeBase64(content) : await encodeText(content, encoding, mode === 'append');
    const { path: real } = await files.write(asked, bytes, mode);
    return { bytes_written: bytes.length, path: real };
  },
  async probe({ mode }) {
    if (mode === 'overwrite') return undefined;
    throw new HelveError('outcome_unknown', 'The end of the file does not show which call appended it');
  },
});
