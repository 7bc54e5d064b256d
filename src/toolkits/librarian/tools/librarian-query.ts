import { z } from 'zod';
import { effects, local } from '../../../domain/effects.js';
import { defineTool } from '../../../domain/tool.js';
import type { Variable } from '../engine/index.js';
import { allowedCollection } from '../limits.js';
import { openLibrary } from '../open-library.js';
import { configSchema, egress, optionalCollection, settingsSchema } from '../shapes.js';

const atom = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** An XQuery sees only the collections that the agent is allowed; values come as external variables. */
export const librarianQuery = defineTool({
  name: 'librarian_query',
  title: 'Query XML documents',
  description:
    'Run an XQuery over the stored XML documents. A path that begins with / or // begins at every document. Pass values as variables, never inside the query text.',
  searchWords: 'XQuery XPath XML documents elements attributes extract nodes',
  inputSchema: z.strictObject({
    query: z.string().min(1).max(50_000).describe('XQuery expression, e.g. //message[@from = "greeter"]'),
    collection: optionalCollection,
    variables: z
      .record(z.string().regex(/^[\p{L}_][\p{L}\p{N}_-]*$/u), z.union([atom, z.array(atom).max(10_000)]))
      .optional()
      .describe('External variables by name, without $: strings, numbers, booleans or arrays of them'),
  }),
  outputSchema: z.strictObject({
    results: z.array(z.string()).describe('One text per item: XML of a node, value of anything else'),
    truncated: z.int().optional().describe('How many more items there were'),
  }),
  configSchema,
  settingsSchema,
  annotations: local(effects.reads),
  capabilities: ['query documents'],
  examples: [
    { input: { query: '//message[@from="greeter"]' } },
    {
      input: {
        query: 'for $m in //message where $m/@timestamp > $since return $m',
        variables: { since: '2024-01-15T00:00:00Z' },
      },
    },
  ],
  egress,
  async execute(input, context) {
    const within = allowedCollection(context, input.collection);
    const variables: Readonly<Record<string, Variable>> = input.variables ?? {};
    const { results, dropped } = await (await openLibrary(context)).query(input.query, within, variables);
    return { results: [...results], ...(dropped > 0 && { truncated: dropped }) };
  },
});
