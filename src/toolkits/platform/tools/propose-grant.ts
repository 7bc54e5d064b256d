import { z } from 'zod';
import { effects, local } from '../../../domain/effects.js';
import { defineTool } from '../../../domain/tool.js';

/** Nothing is granted until a person who may grant has approved exactly this call, regardless of the policies. */
export const proposeGrant = defineTool({
  name: 'propose_grant',
  title: 'Propose a grant',
  description:
    'Ask a person to grant tools to an agent. The person sees exactly these tools. Once they have approved, the same call grants them, one time.',
  searchWords: 'permission rights access allow give enable let use tool ask for approval',
  inputSchema: z.strictObject({
    agent: z.string().max(100).describe('Its name, as list_agents shows it'),
    tools: z
      .array(z.string().min(1).max(200))
      .min(1)
      .max(50)
      .describe('Whole names, as list_grants shows them; no patterns'),
    reason: z.string().regex(/\S/, 'holds something').max(1_000).describe('What the agent needs them for'),
    version: z.string().max(64).describe('As list_grants gave it: the proposal ends when the grants change'),
  }),
  outputSchema: z.strictObject({ agent: z.string(), added: z.array(z.string()).describe('Not granted before') }),
  annotations: local(effects.creates),
  idempotency: { by: 'ask', how: 'The tools may be granted because of this call, or may have been taken back since' },
  highRisk: true,
  approver: { permissions: ['grants:write'], isAlwaysAsked: true },
  capabilities: ['propose grant', 'grant tool'],
  examples: [
    {
      input: {
        agent: 'coder',
        tools: ['work-github__create_issue'],
        reason: 'It has to file the bugs that it finds',
        version: '0c1b5f3f0a7e4b1d9d2c8e6f4a3b2c1d',
      },
      output: { agent: 'coder', added: ['work-github__create_issue'] },
    },
  ],
  check: ({ agent, tools, version }, { platform }) => platform.checkProposal({ agent, tools, version }),
  async execute({ agent, tools, version }, { platform }) {
    return { agent, added: [...(await platform.addGrants({ agent, tools, version }))] };
  },
});
