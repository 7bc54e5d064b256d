import { z } from 'zod';
import type { FoundTool } from '../../../domain/discovery.js';
import { effects, local } from '../../../domain/effects.js';
import { defineTool } from '../../../domain/tool.js';
import { defined } from '../../../util/defined.js';

/** One line a hit: a model reads many of them. */
export const searchTools = defineTool({
  name: 'search_tools',
  title: 'Search tools',
  description:
    'Find tools by what is to be done ("send a message to a channel"), with the name of the app where you know it. Answers `name(parameters) — what it does`, best first. Call what you find with call_tool, or in a program of run_code.',
  inputSchema: z.strictObject({
    query: z
      .string()
      .min(1)
      .max(2_000)
      .describe('Verb, object and app ("create event in Google Calendar"), one act at a time; or names of tools'),
    limit: z.int().min(1).max(50).default(8),
    toolkits: z.array(z.string().max(100)).max(50).optional().describe('Only tools of these apps: github, slack, …'),
  }),
  outputSchema: z.strictObject({
    fits: z.boolean().describe('False: nothing that you have does this; the tools listed are only the nearest'),
    tools: z.array(z.string()).describe('`name(parameters) — what it does`; parameters with ? may be left out'),
    note: z.string().optional(),
  }),
  annotations: local(effects.reads),
  intrinsic: true,
  capabilities: ['search tools'],
  examples: [{ input: { query: 'open an issue on GitHub' } }],
  async execute({ query, limit, toolkits }, { finder }) {
    const found = await finder.search({ query, limit, ...defined({ toolkits }) });
    // What is not to be trusted should not look like an answer.
    const hits = found.abstained ? found.hits.slice(0, 3) : found.hits;
    return {
      fits: !found.abstained,
      tools: hits.map(line),
      ...defined({ note: found.hint }),
    };
  },
});

function line({ name, signature, summary }: FoundTool): string {
  return summary === '' ? `${name}${signature}` : `${name}${signature} — ${summary}`;
}
