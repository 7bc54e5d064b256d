/** Declarations of tools for programs, and the verdict of a check. */
import { z } from 'zod';
import { agentField, commaList } from './requests.js';
import { namedShapes } from './shapes.js';

export const typesQuery = z.strictObject({
  only: commaList.optional().describe('Namespaces, toolkits or connections, separated by commas'),
  format: z
    .enum(['full', 'index'])
    .optional()
    .describe('index: a line for each tool. Default: full, or index if that would be more than 200 tools'),
  agent: agentField,
});

export const toolDeclarations = z.object({
  format: z.enum(['full', 'index']),
  text: z.string().describe('full: TypeScript'),
  namespaces: z.array(
    z.object({
      name: z.string().describe('The object in a program: workGithub'),
      alias: z
        .string()
        .optional()
        .describe('Its second name: that of the toolkit, while there is one connection to it'),
      toolkit: z.string(),
      title: z.string(),
      connection: z.string().optional().describe('Slug of the account that its tools act with'),
      account: z.string().optional().describe('The account, as the service describes it'),
      tools: z.int().describe('How many tools it has'),
    }),
  ),
});
namedShapes.add(toolDeclarations, { id: 'ToolDeclarations' });

export const codeVerdict = z.object({
  ok: z.boolean().describe('Whether there is no issue'),
  issues: z.array(
    z.object({
      line: z.int().describe('From 1, in the text as it was sent'),
      column: z.int(),
      message: z.string().describe('One line, for a model that corrects itself'),
      tool: z.string().optional().describe('The tool that is called wrongly, or whose answer is misread'),
    }),
  ),
});
namedShapes.add(codeVerdict, { id: 'CodeVerdict' });
