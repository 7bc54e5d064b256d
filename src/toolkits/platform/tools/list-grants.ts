import { z } from 'zod';
import { effects, local } from '../../../domain/effects.js';
import { defineTool } from '../../../domain/tool.js';

const maxFound = 50;

export const listGrants = defineTool({
  name: 'list_grants',
  title: 'List grants',
  description:
    'Which tools an agent has been granted and, with search, which others could be granted. Its version is needed to propose a grant.',
  searchWords: 'permissions rights access what may is allowed which tools can use',
  inputSchema: z.strictObject({
    agent: z.string().max(100).describe('Its name, as list_agents shows it'),
    search: z
      .string()
      .regex(/\S/, 'holds something')
      .max(200)
      .optional()
      .describe('Words of the name or title of a tool'),
  }),
  outputSchema: z.strictObject({
    agent: z.string(),
    granted: z.array(z.string()).describe('Whole names of tools, each with its account if it has one'),
    found: z
      .array(z.strictObject({ tool: z.string(), title: z.string() }))
      .describe(`Tools that fit search and are not granted yet, at most ${maxFound}`),
    total: z.int().describe('How many fit search'),
    version: z.string().describe('For propose_grant'),
  }),
  annotations: local(effects.reads),
  capabilities: ['list grants'],
  examples: [{ input: { agent: 'coder', search: 'issue' } }],
  async execute({ agent, search }, { platform }) {
    const { granted, grantable, version, agent: found } = await platform.findGrants(agent);
    const words = search?.toLowerCase().split(/\s+/).filter(Boolean);
    const has = new Set(granted);
    const fits = ({ name, title }: (typeof grantable)[number]): boolean =>
      words?.every((word) => `${name} ${title}`.toLowerCase().includes(word)) === true && !has.has(name);
    const fitting = grantable.filter(fits);
    return {
      agent: found.slug,
      granted: [...granted],
      found: fitting.slice(0, maxFound).map(({ name, title }) => ({ tool: name, title })),
      total: fitting.length,
      version,
    };
  },
});
