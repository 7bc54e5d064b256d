/**
 * Tools for the Anthropic SDK: the objects that `messages.create` takes, with the `run` that its tool runner calls. Creating
 * them does not need the SDK.
 */
import type { JsonSchema } from '../domain/json.js';
import { bindTools, freshSchema, resultText } from './bind-tools.js';
import type { AdapterOptions, ToolSource } from './tool-source.js';

/** Returns the principal's tools for `messages.create({ tools })` and `beta.messages.toolRunner({ tools })`. */
export interface AnthropicRunnableTool {
  readonly type: 'custom';
  readonly name: string;
  readonly description: string;
  readonly input_schema: JsonSchema & { readonly type: 'object' };
  readonly parse: (content: unknown) => unknown;
  /** Throws for a refused or failed call, as this SDK expects: its runner turns that into a `tool_result` with `is_error`. */
  readonly run: (input: unknown, context?: { readonly signal?: AbortSignal | null }) => Promise<string>;
}

/** Messages API. */
export async function toolsFor<Who>(
  source: ToolSource<Who>,
  options = {} as AdapterOptions<Who>,
): Promise<AnthropicRunnableTool[]> {
  return (await bindTools(source, options)).map((tool) => ({
    type: 'custom',
    name: tool.name,
    description: tool.description,
    input_schema: freshSchema(tool) as AnthropicRunnableTool['input_schema'],
    parse: (content) => content,
    async run(input, context) {
      const result = await tool.call(input, context?.signal ?? undefined);
      const text = resultText(result, options);
      if (!result.ok) throw new Error(text);
      return text;
    },
  }));
}
