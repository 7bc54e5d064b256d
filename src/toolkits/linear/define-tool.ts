/** What all Linear tools have in common: GraphQL, and warnings about parts of an answer that are missing. */
import { z } from 'zod';
import type { JsonSchema } from '../../domain/json.js';
import { type AuthoredSchema, defineTool, type Infer, type ToolDefinition } from '../../domain/tool.js';
import { createLinear, type Linear } from './client.js';
import { linearSettings } from './settings.js';

type Authored<Input extends AuthoredSchema, Output extends z.ZodObject> = Omit<
  ToolDefinition<Input, Output, JsonSchema, typeof linearSettings>,
  'settingsSchema' | 'configSchema' | 'outputSchema' | 'execute' | 'probe'
> & {
  readonly outputSchema: Output;
  run(input: Infer<Input>, linear: Linear, call: { readonly effectKey: string }): Promise<z.input<Output>>;
  /** The probe of the tool: returns what `run` would have returned if its effect is there, else undefined. */
  look?(input: Infer<Input>, linear: Linear): Promise<z.input<Output> | undefined>;
};

const warnings = z.array(z.string()).optional().describe('What Linear could not say');

export function defineLinearTool<const Input extends AuthoredSchema, const Output extends z.ZodObject>({
  run,
  look,
  outputSchema,
  ...definition
}: Authored<Input, Output>): ToolDefinition {
  return defineTool<Input, JsonSchema, JsonSchema, typeof linearSettings>({
    ...definition,
    outputSchema: z.toJSONSchema(outputSchema.extend({ warnings })) as JsonSchema,
    settingsSchema: linearSettings,
    ...(look && { probe: (input, { service }) => look(input, createLinear(service)) }),
    async execute(input, { service, effectKey }) {
      const linear = createLinear(service);
      const output = await run(input, linear, { effectKey });
      return linear.warnings.length === 0
        ? output
        : { ...output, warnings: [...new Set(linear.warnings)].slice(0, 20) };
    },
  });
}
