/** What the tools for files share: the field for a path, and an agent's `tool_config`. */
import { z } from 'zod';
import type { FileEntry, FileLimits } from '../../domain/reach.js';
import { defined } from '../../util/defined.js';

export const path = z.string().min(1).max(8_192);

const allowedPaths = z
  .array(z.string().regex(/^\//).max(4_096))
  .max(100)
  .optional()
  .describe('Globs of absolute paths, e.g. /data/research/**; default: the folder of the workspace');

const maxBytes = z.int().positive().max(52_428_800).default(5_242_880).describe('Largest file, in bytes');

export const changeConfig = z.strictObject({ allowed_paths: allowedPaths, max_bytes: maxBytes });

export const readConfig = z.strictObject({
  allowed_paths: allowedPaths,
  max_bytes: maxBytes,
  allow_hard_links: z
    .boolean()
    .default(false)
    .describe('Also read files that have other names (hard links), possibly elsewhere'),
});

export function changing(config: z.infer<typeof changeConfig>): FileLimits {
  return { ...getLimits(config), writable: true };
}

export function reading(config: z.infer<typeof readConfig>): FileLimits {
  return { ...getLimits(config), writable: false, allowHardLinks: config.allow_hard_links };
}

function getLimits(config: z.infer<typeof changeConfig>) {
  return {
    maxBytes: config.max_bytes,
    ...defined({ allowedPaths: config.allowed_paths }),
  };
}

export const type = z.enum(['file', 'directory', 'link', 'other']);
export const size = z.int().min(0).describe('Bytes');
export const modified = z.string().describe('ISO 8601');

export function getFacts(entry: FileEntry) {
  return { name: entry.name, type: entry.type, size: entry.size, modified: entry.modified };
}
