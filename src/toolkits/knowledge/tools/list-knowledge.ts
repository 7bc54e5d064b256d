import { z } from 'zod';
import { effects, local } from '../../../domain/effects.js';
import { defineTool } from '../../../domain/tool.js';
import { defined } from '../../../util/defined.js';
import { getScope } from '../hits.js';
import { listIndexed } from '../index/index.js';
import { counts, prefix, searchConfig, settingsSchema } from '../shapes.js';

/** Pages are ordered by path: `after` is the last path of the previous page. */
export const listKnowledge = defineTool({
  name: 'list_knowledge',
  title: 'List known sources',
  description: 'The sources that the workspace has ingested, by path, with what was found in each.',
  searchWords: 'what do you know which documents sources have been read added in the knowledge base',
  inputSchema: z.strictObject({
    prefix,
    after: z.string().max(1_024).optional().describe('Only paths after this one: the last of the previous page'),
    limit: z.int().min(1).max(1_000).default(100),
  }),
  outputSchema: z.strictObject({
    sources: z.array(
      z.strictObject({
        path: z.string(),
        media_type: z.string(),
        hash: z.string().describe('SHA-256 of the bytes, with a zero byte and the caption behind them if it has one'),
        elements: counts,
        updated_at: z.string(),
        embedding_model: z.string().optional().describe('The model that made its vectors'),
        notes: z.array(z.string()).describe('What could not be read or was left out'),
      }),
    ),
    total: z.int().min(0),
    truncated: z.boolean().describe('There are more after the last one'),
  }),
  configSchema: searchConfig,
  settingsSchema,
  annotations: local(effects.reads),
  capabilities: ['list knowledge', 'list sources'],
  examples: [{ input: { prefix: 'handbook/' } }],
  async execute({ prefix, after, limit }, context) {
    const { sources, total, more } = await listIndexed(context, {
      scope: getScope(context, { prefix }),
      after,
      most: limit,
    });
    const shown = sources.map(({ path, hash, updatedAt, head }) => ({
      path,
      media_type: head.mediaType,
      hash,
      elements: { ...head.counts },
      updated_at: updatedAt,
      ...defined({ embedding_model: head.model }),
      notes: [...head.notes],
    }));
    return { sources: shown, total, truncated: more };
  },
});
