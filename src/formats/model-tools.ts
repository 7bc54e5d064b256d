/**
 * Tools in the shapes of the model APIs. The model sees the tool's own schema, the same object. OpenAI's strict mode
 * would need another schema (with every property required), so it is off.
 */

import type { ListedTool } from '../domain/execution.js';
import type { JsonSchema } from '../domain/json.js';
import { describedFor } from '../util/approval-note.js';

/** Chat Completions. */
export interface OpenAiFunction {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters: JsonSchema;
    readonly strict: false;
  };
}

/** The Responses API, which has the same fields without the nesting. */
export interface OpenAiResponsesFunction {
  readonly type: 'function';
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
  readonly strict: false;
}

export interface AnthropicTool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: JsonSchema;
}

/** Returns the tool as Chat Completions takes it, with the tool's own input schema. */
export function toOpenAiFunction({ name, tool, ...listed }: ListedTool): OpenAiFunction {
  return {
    type: 'function',
    function: { name, description: describedFor({ tool, ...listed }), parameters: tool.inputSchema, strict: false },
  };
}

/** Returns the tool as the Responses API takes it, with the tool's own input schema. */
export function toOpenAiResponsesFunction({ name, tool, ...listed }: ListedTool): OpenAiResponsesFunction {
  return {
    type: 'function',
    name,
    description: describedFor({ tool, ...listed }),
    parameters: tool.inputSchema,
    strict: false,
  };
}

/** Returns the tool as the Anthropic Messages API takes it, with the tool's own input schema. */
export function toAnthropicTool({ name, tool, ...listed }: ListedTool): AnthropicTool {
  return { name, description: describedFor({ tool, ...listed }), input_schema: tool.inputSchema };
}
