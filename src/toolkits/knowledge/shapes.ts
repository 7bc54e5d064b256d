/** What the tools for knowledge share: their configuration, the operator's settings, and the shape of a hit. */
import { z } from 'zod';
import type { ToolContext } from '../../domain/context.js';
import type { FileLimits } from '../../domain/reach.js';
import { defined } from '../../util/defined.js';
import { elementTypes } from '../../util/extract/elements.js';

export const settingsSchema = z.strictObject({
  index_memory_mb: z
    .int()
    .min(128)
    .max(8_192)
    .default(512)
    .describe('Of the process that holds the index of a workspace'),
});

const allowedSources = z
  .array(z.string().min(1).max(1_024))
  .min(1)
  .max(200)
  .optional()
  .describe('Sources, or folders of them, that this agent may use; default: all of the workspace');
const maxFileBytes = z.int().positive().max(52_428_800).default(20_971_520).describe('Largest source, in bytes');

export const searchConfig = z.strictObject({ allowed_sources: allowedSources });
export const ingestConfig = z.strictObject({ allowed_sources: allowedSources, max_file_bytes: maxFileBytes });
export const ingestFilesConfig = z.strictObject({
  allowed_paths: z
    .array(z.string().regex(/^\//).max(4_096))
    .max(100)
    .optional()
    .describe('Globs of absolute paths that may be read, e.g. /data/handbook/**; default: the folder of the workspace'),
  allowed_sources: allowedSources,
  max_file_bytes: maxFileBytes,
});

export type KnowledgeContext = ToolContext<z.infer<typeof searchConfig>, z.infer<typeof settingsSchema>>;
export type IngestContext = ToolContext<z.infer<typeof ingestConfig>, z.infer<typeof settingsSchema>>;

export function readable({ allowed_paths, max_file_bytes }: z.infer<typeof ingestFilesConfig>): FileLimits {
  return {
    ...defined({ allowedPaths: allowed_paths }),
    maxBytes: max_file_bytes,
    writable: false,
  };
}

export const query = z.string().regex(/\S/, 'holds something').max(2_000);
export const limit = z.int().min(1).max(50).default(10).describe('Most hits');
export const prefix = z.string().min(1).max(1_024).optional().describe('Only sources whose path begins with this');
export const types = z.array(z.enum(elementTypes)).min(1).optional().describe('Only elements of these types');
export const language = z.string().min(1).max(40).optional().describe('E.g. typescript, python, go, csharp');

// This is not a tuple: validators of older drafts misread today's form of a tuple as a list of nothing.
const span = z.array(z.int()).length(2);
export const place = z.strictObject({
  text: z.string().describe('For people: page 3; Sheet1!A2:D9; lines 10–14'),
  page: z.int().optional(),
  lines: span.optional().describe('First and last, from 1'),
  line: z.int().optional().describe('Of the best match: a line, or a row of a table'),
  heading: z.array(z.string()).optional().describe('From the title down'),
  sheet: z.string().optional(),
  cells: z.string().optional(),
  symbol: z.strictObject({ name: z.string(), kind: z.string(), container: z.string().optional() }).optional(),
  part: z.string().optional().describe('Outside the running text: header, footer'),
});

export const hits = z.array(
  z.strictObject({
    source: z.string(),
    place,
    type: z.enum(elementTypes),
    snippet: z.string(),
    score: z.number(),
    language: z.string().optional(),
  }),
);

export const counts = z
  .record(z.string(), z.int())
  .describe('Elements by type: text, table, image, formula, symbol, code');
