import { z } from 'zod';
import { effects, local } from '../../../domain/effects.js';
import { defineTool } from '../../../domain/tool.js';
import { getFacts, modified, path, readConfig, reading, size, type } from '../shapes.js';

const mostEntries = 1_000;

export const listDir = defineTool({
  name: 'list_dir',
  title: 'List a folder',
  description: 'List what is in a folder, by name; a pattern with ** also looks into the folders below.',
  searchWords: 'ls what is in folder show files directory inside tree browse',
  inputSchema: z.strictObject({
    path: path.describe('The folder; . is the starting folder'),
    pattern: z.string().min(1).max(512).default('*').describe('Glob, e.g. *.xml or src/**/*.ts'),
  }),
  outputSchema: z.strictObject({
    entries: z.array(
      z.strictObject({
        name: z.string(),
        path: z.string().optional().describe('Absolute; given when the pattern looks below the folder'),
        type,
        size,
        modified,
      }),
    ),
    truncated: z.boolean().describe(`Whether there are more entries; at most ${mostEntries} are listed`),
  }),
  configSchema: readConfig,
  annotations: local(effects.reads),
  capabilities: ['list directory', 'list files'],
  examples: [{ input: { path: '/data' } }, { input: { path: '/data', pattern: '*.xml' } }],
  files: reading,
  async execute({ path: asked, pattern }, { files, signal }) {
    const { entries, truncated } = await files.list(asked, { pattern, limit: mostEntries, signal });
    const below = /\/|\*\*/.test(pattern);
    return { entries: entries.map((one) => ({ ...getFacts(one), ...(below && { path: one.path }) })), truncated };
  },
});
