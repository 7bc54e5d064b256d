import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { effects, local } from '../../../domain/effects.js';
import { defineTool } from '../../../domain/tool.js';
import { exists } from '../exists.js';
import { changeConfig, changing, path } from '../shapes.js';

/** The risk is `destructive`, because a deleted file cannot be restored. */
export const deleteFile = defineTool({
  name: 'delete_file',
  title: 'Delete a file or folder',
  description: 'Delete a file or an empty folder; with recursive=true a folder and all that is in it.',
  searchWords: 'remove erase throw away trash rm get rid of clean up wipe folder directory',
  inputSchema: z.strictObject({
    path: path.describe('The file or folder'),
    recursive: z.boolean().default(false).describe('Delete a folder with everything in it'),
  }),
  outputSchema: z.strictObject({ deleted: z.literal(true), path: z.string().describe('What was deleted') }),
  configSchema: changeConfig,
  annotations: local(effects.replaces),
  idempotency: { by: 'probe', how: 'What no longer exists counts as deleted' },
  risk: 'destructive',
  capabilities: ['delete file', 'delete directory'],
  examples: [{ input: { path: '/output/old.txt' }, output: { deleted: true, path: '/output/old.txt' } }],
  files: changing,
  async probe({ path: asked }, { files }) {
    if (await exists(files, asked)) return undefined;
    const folder = await files.stat(dirname(asked));
    return { deleted: true, path: join(folder.path, basename(asked)) } as const;
  },
  async execute({ path: asked, recursive }, { files, signal }) {
    return { deleted: true, ...(await files.delete(asked, { recursive, signal })) } as const;
  },
});
