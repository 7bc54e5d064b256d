import { z } from 'zod';
import { effects, local } from '../../../domain/effects.js';
import { defineTool } from '../../../domain/tool.js';
import { outline } from '../../../util/outline.js';
import { mostMatches, queryJson } from '../query.js';

/** Reads only results of earlier calls by the same principal, and only while the grant of that call exists. */
export const resultRead = defineTool({
  name: 'result_read',
  title: 'Read a long result',
  description: 'Read a stored result by its handle, part by part; with a JSONPath query, only what matches.',
  searchWords: 'rest remaining more continue next part truncated cut off long output answer page through handle',
  inputSchema: z.strictObject({
    handle: z.string().min(1).max(100).describe('The handle that came with the shortened result'),
    query: z
      .string()
      .max(2_000)
      .optional()
      .describe(
        'RFC 9535 JSONPath, e.g. $.items[?@.price > 10].name; JSON that came as text, such as a fetched body, is looked into: $.body.items',
      ),
    offset: z.int().min(0).default(0).describe('Characters to skip'),
    limit: z.int().min(1).max(10_000).default(8_000).describe('Characters to return'),
  }),
  outputSchema: z.strictObject({
    text: z.string().describe('This part of the result, or of the matches as a JSON array'),
    total_characters: z.int(),
    next_offset: z.int().nullable().describe('Where the next part begins; null at the end'),
    matches: z
      .int()
      .optional()
      .describe(`How many values the query matched; text has at most the first ${mostMatches}`),
    shape: z.string().describe('Outline of what is being read'),
  }),
  annotations: local(effects.reads),
  intrinsic: true,
  capabilities: ['read result'],
  examples: [{ input: { handle: 'result_0123456789abcdef01234567', query: '$.items[0:10].title' } }],
  async execute({ handle, query, offset, limit }, { results, signal, workers }) {
    const value = await results.read(handle);
    const found = query === undefined ? undefined : await queryJson(workers, { value, query, signal });
    const shown = found === undefined ? value : found.values;
    const text = typeof shown === 'string' ? shown : JSON.stringify(shown);
    const end = Math.min(text.length, offset + limit);
    return {
      text: text.slice(offset, end),
      total_characters: text.length,
      next_offset: end < text.length ? end : null,
      ...(found === undefined ? {} : { matches: found.total }),
      shape: outline(shown),
    };
  },
});
