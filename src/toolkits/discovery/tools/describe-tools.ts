import { z } from 'zod';
import type { ToolDescription } from '../../../domain/discovery.js';
import { effects, local } from '../../../domain/effects.js';
import type { JsonObject } from '../../../domain/json.js';
import { defineTool } from '../../../domain/tool.js';
import { defined } from '../../../util/defined.js';

const format = z.enum(['typescript', 'json_schema', 'program']);

/** For tools whose line in a search does not say enough. */
export const describeTools = defineTool({
  name: 'describe_tools',
  title: 'Describe tools',
  description: 'Up to ten tools in full: parameters and results with their types, and whether a person must approve.',
  inputSchema: z.strictObject({
    names: z.array(z.string().max(200)).min(1).max(10),
    format: format.optional().describe('program: as functions of a program for run_code'),
  }),
  outputSchema: z.strictObject({
    tools: z.array(
      z.strictObject({
        name: z.string(),
        description: z.string(),
        risk: z.enum(['read', 'write', 'destructive']),
        approval: z
          .enum(['none', 'required', 'depends', 'denied'])
          .describe('Whether a person must approve a call; depends: on its arguments'),
        declaration: z.string().optional().describe('TypeScript'),
        input_schema: z.record(z.string(), z.unknown()).optional(),
        output_schema: z.record(z.string(), z.unknown()).optional(),
        examples: z.array(z.record(z.string(), z.unknown())).optional().describe('Arguments'),
      }),
    ),
    declarations: z.string().optional().describe('TypeScript: the tools as functions of a program'),
    unknown: z
      .array(z.strictObject({ name: z.string(), nearest: z.array(z.string()), refused: z.string().optional() }))
      .optional()
      .describe('Names that none of your tools has'),
  }),
  annotations: local(effects.reads),
  intrinsic: true,
  capabilities: ['describe tools'],
  examples: [{ input: { names: ['calculate'] } }],
  async execute({ names, format: asked }, { finder, codeMode }) {
    const { tools, unknown } = await finder.describe(names);
    const format = asked ?? ((await codeMode.prefersPrograms()) ? 'program' : 'typescript');
    const declarations =
      format === 'program' && tools.length > 0 ? await codeMode.declare(tools.map(({ name }) => name)) : undefined;
    return {
      tools: format === 'program' ? [] : tools.map((tool) => described(tool, format)),
      ...defined({ declarations }),
      ...(unknown.length === 0
        ? {}
        : { unknown: unknown.map(({ nearest, ...one }) => ({ ...one, nearest: [...nearest] })) }),
    };
  },
});

function described(tool: ToolDescription, as: Exclude<z.infer<typeof format>, 'program'>) {
  const { name, description, risk, approval, examples, inputSchema, outputSchema, declaration } = tool;
  const schemas =
    as === 'typescript'
      ? { declaration }
      : {
          input_schema: inputSchema as JsonObject,
          ...(outputSchema === undefined ? {} : { output_schema: outputSchema as JsonObject }),
        };
  const inputs = examples.slice(0, 2).map(({ input }) => input);
  return { name, description, risk, approval, ...schemas, ...(inputs.length === 0 ? {} : { examples: inputs }) };
}
