import { z } from 'zod';
import { effects } from '../../../domain/effects.js';
import { HelveError } from '../../../domain/errors.js';
import { defineTool } from '../../../domain/tool.js';

/**
 * This tool itself never runs: before anything else, the pipeline replaces a call of it by a call of the tool that it
 * names, so that the grants, policies, approvals, limits and records of that tool apply.
 */
export const callTool = defineTool({
  name: 'call_tool',
  title: 'Call a tool',
  description:
    'Call a tool that search_tools found, with its arguments. The tool result_read reads on in a long result.',
  inputSchema: z.strictObject({
    tool: z.string().max(200),
    arguments: z.looseObject({}).default({}),
    intent: z
      .string()
      .max(2_000)
      .optional()
      .describe('What the person asked for: a tool that does something else is then not run'),
  }),
  // The annotations assume the worst that the tools behind it can do.
  annotations: effects.runs,
  idempotency: {
    by: 'ask',
    how: 'Never runs itself: each call of it is a call of the tool that it names, to which that row applies',
  },
  risk: 'write',
  intrinsic: true,
  capabilities: ['call tool'],
  examples: [{ input: { tool: 'calculate', arguments: { expression: '6 * 7' } } }],
  execute: () =>
    Promise.reject(new HelveError('internal', 'call_tool reached a provider, which the pipeline must not let it')),
});
