import { z } from 'zod';
import { effects, local } from '../../../domain/effects.js';
import { defineTool } from '../../../domain/tool.js';
import { readTextInWorker } from '../../../util/extract/index.js';
import { findDocument } from '../../../util/extract/media.js';
import { path, readConfig, reading, size } from '../shapes.js';
import { decodeText, isUtf8 } from '../text.js';

export const readFile = defineTool({
  name: 'read_file',
  title: 'Read a file',
  description:
    'Read a text file, or the text of a PDF, DOCX, XLSX, PPTX or EML; with binary=true the bytes of any file as base64.',
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
    extracted_from: z
      .string()
      .optional()
      .describe('If content is the text of a document and not the file itself: the media type of the document'),
    notes: z.array(z.string()).optional().describe('What of the document could not be read'),
  }),
  configSchema: readConfig,
  annotations: local(effects.reads),
  capabilities: ['read file'],
  examples: [
    { input: { path: '/data/config.yaml' } },
    { input: { path: '/data/image.png', binary: true }, note: 'Bytes come as base64' },
  ],
  files: reading,
  async execute({ path: asked, encoding, binary }, { files, config, workers, signal, caller }) {
    const { path: real, bytes } = await files.read(asked);
    const base = { path: real, size: bytes.length, encoding: binary ? 'base64' : encoding };
    if (binary) return { content: Buffer.from(bytes).toString('base64'), ...base };
    const mediaType = isUtf8(encoding) ? findDocument(asked, bytes) : undefined;
    if (mediaType === undefined) return { content: await decodeText(bytes, encoding, asked), ...base };
    const { text, notes } = await readTextInWorker(
      { bytes, mediaType, maxChars: config.max_bytes },
      { workers, signal, workspaceId: caller.workspaceId },
    );
    return { content: text, ...base, extracted_from: mediaType, notes: [...notes] };
  },
});
