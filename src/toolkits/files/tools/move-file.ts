import { z } from 'zod';
import { effects, local } from '../../../domain/effects.js';
import { defineTool } from '../../../domain/tool.js';
import { exists } from '../exists.js';
import { changeConfig, changing, path } from '../shapes.js';

/** The risk is `write`: a move never replaces anything and can be undone. */
export const moveFile = defineTool({
  name: 'move_file',
  title: 'Move or rename a file or folder',
  description: 'Move or rename a file or folder. Nothing is ever replaced: the destination must be free.',
  searchWords: 'rename change name put somewhere else relocate mv transfer into another folder call it',
  inputSchema: z.strictObject({
    source: path.describe('The file or folder'),
    destination: path.describe('Its new path, with its name'),
  }),
  outputSchema: z.strictObject({ path: z.string().describe('Where it is now') }),
  configSchema: changeConfig,
  annotations: local(effects.creates),
  idempotency: { by: 'probe', how: 'It was moved if it is at its new path and no longer at its old one' },
  capabilities: ['move file', 'rename file'],
  examples: [
    { input: { source: '/output/draft.md', destination: '/output/final.md' }, output: { path: '/output/final.md' } },
  ],
  files: changing,
  async probe({ source, destination }, { files }) {
    if (await exists(files, source)) return undefined;
    return { path: (await files.stat(destination)).path };
  },
  execute: ({ source, destination }, { files }) => files.move(source, destination),
});
