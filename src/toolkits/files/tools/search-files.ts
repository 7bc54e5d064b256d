import { z } from 'zod';
import { effects, local } from '../../../domain/effects.js';
import { defineTool } from '../../../domain/tool.js';
import { mostLines, searchText } from '../search.js';
import { modified, path, readConfig, reading, size, type } from '../shapes.js';

const mostMatches = 200;
const mostCandidates = 20_000;

/** A pattern without `/` matches names in all folders below, which is what a search usually needs. */
export const searchFiles = defineTool({
  name: 'search_files',
  title: 'Search for files',
  description: 'Find files below a folder by glob; with query, those that contain this very text, with the lines.',
  searchWords:
    'find locate where is look for which files contain mention text grep glob pattern ending extension type kind csv pdf docx txt json png occurrences',
  inputSchema: z.strictObject({
    path: path.default('.').describe('The folder to search'),
    pattern: z.string().min(1).max(509).default('*').describe('Glob, e.g. *.md (anywhere below) or docs/**/*.md'),
    query: z.string().min(1).max(1_000).optional().describe('Text that the file must contain; case matters'),
  }),
  outputSchema: z.strictObject({
    matches: z.array(
      z.strictObject({
        path: z.string(),
        type,
        size,
        modified,
        lines: z
          .array(z.strictObject({ line: z.int().min(1), text: z.string() }))
          .optional()
          .describe(`Lines that contain the query, at most ${mostLines} of a file`),
      }),
    ),
    truncated: z.boolean().describe('Whether there may be more files, or more lines in one of them'),
    skipped: z.int().min(0).describe('Files not looked into: too large, binary or not readable'),
  }),
  configSchema: readConfig,
  annotations: local(effects.reads),
  capabilities: ['search files', 'find file'],
  examples: [{ input: { path: '/data', pattern: '*.md', query: 'budget' } }],
  files: reading,
  async execute({ path: asked, pattern, query }, context) {
    const everywhere = pattern.includes('/') ? pattern : `**/${pattern}`;
    const limit = query === undefined ? mostMatches : mostCandidates;
    const found = await context.files.list(asked, { pattern: everywhere, limit, signal: context.signal });
    const shown = ({ path: where, type: kind, size: bytes, modified: at }: (typeof found.entries)[number]) => ({
      path: where,
      type: kind,
      size: bytes,
      modified: at,
    });
    if (query === undefined) return { matches: found.entries.map(shown), truncated: found.truncated, skipped: 0 };
    const regular = found.entries.filter((entry) => entry.type === 'file');
    const { matches, truncated, skipped } = await searchText(regular, query, mostMatches, context);
    return {
      matches: matches.map(({ entry, lines }) => ({ ...shown(entry), lines: [...lines] })),
      truncated: truncated || found.truncated,
      skipped,
    };
  },
});
