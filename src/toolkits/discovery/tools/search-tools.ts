import { z } from 'zod';
import type { FoundTool } from '../../../domain/discovery.js';
import { effects, local } from '../../../domain/effects.js';
import { defineTool } from '../../../domain/tool.js';
import { defined } from '../../../util/defined.js';

/**
 * For an agent in code mode, the answer declares this many of the best hits, so that it can write its program without
 * another call.
 */
const maxDeclared = 3;
/**
 * Minimum score, as a share of the best hit's score. Declarations are long, so only hits that are likely to be right
 * get one.
 */
const minShare = { declared: 0.6, shown: 0.25 };

/** One line per hit, because a model reads many of them. */
export const searchTools = defineTool({
  name: 'search_tools',
  title: 'Search tools',
  description: 'Find tools by what is to be done, best first.',
  inputSchema: z.strictObject({
    query: z
      .string()
      .max(2_000)
      .describe('One act with its app ("send a message to a channel in Slack"), or names of tools'),
    limit: z.int().min(1).max(50).default(8),
    toolkits: z.array(z.string()).max(50).optional().describe('Only of these apps: github, slack, …'),
  }),
  outputSchema: z.strictObject({
    fits: z.boolean().describe('False: nothing that you have does this; the tools listed are only the nearest'),
    tools: z.array(z.string()).describe('`name(parameters) — what it does`; parameters with ? may be left out'),
    declarations: z.string().optional().describe('TypeScript: the first hits as functions of a program'),
    note: z.string().optional(),
  }),
  annotations: local(effects.reads),
  intrinsic: true,
  capabilities: ['search tools'],
  examples: [{ input: { query: 'open an issue on GitHub' } }],
  async execute({ query, limit, toolkits }, { finder, codeMode }) {
    const found = await finder.search({ query, limit, ...defined({ toolkits }) });
    // Unreliable hits are cut short, so that they do not look like an answer.
    const hits = found.abstained ? found.hits.slice(0, 3) : found.hits;
    const isCode = !found.abstained && (await codeMode.prefersPrograms());
    const { declared, others } = isCode ? chooseDeclared(hits) : { declared: [], others: [] };
    return {
      fits: !found.abstained,
      tools: isCode ? [...declared, ...others.map(shortLine)] : hits.map(line),
      ...defined({
        declarations: declared.length === 0 ? undefined : await codeMode.declare(declared),
        note: found.hint,
      }),
    };
  },
});

function chooseDeclared(hits: readonly FoundTool[]): { readonly declared: string[]; readonly others: FoundTool[] } {
  const best = hits[0]?.score ?? 0;
  const near = hits.filter(({ score }) => score >= best * minShare.declared).slice(0, maxDeclared);
  const others = hits.filter((hit) => !near.includes(hit) && hit.score >= best * minShare.shown);
  return { declared: near.map(({ name }) => name), others };
}

/** Without parameters: a program needs the declaration of the tool first. */
function shortLine({ name, summary }: FoundTool): string {
  return summary === '' ? name : `${name} — ${summary}`;
}

function line({ name, signature, summary }: FoundTool): string {
  return summary === '' ? `${name}${signature}` : `${name}${signature} — ${summary}`;
}
