/**
 * Tools as the model APIs take them. The schema that a model sees is the tool's own, the same object:
 * OpenAI's strict mode would need another one (every property required), so it is off.
 */

import type { ListedTool } from '../domain/execution.js';
import type { JsonSchema } from '../domain/json.js';
import { describedFor } from './approval-note.js';

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

/** The Responses API, which has the same without the nesting. */
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

export function toOpenAiFunction({ name, tool, ...listed }: ListedTool): OpenAiFunction {
  return {
    type: 'function',
    function: { name, description: describedFor({ tool, ...listed }), parameters: tool.inputSchema, strict: false },
  };
}

export function toOpenAiResponsesFunction({ name, tool, ...listed }: ListedTool): OpenAiResponsesFunction {
  return {
    type: 'function',
    name,
    description: describedFor({ tool, ...listed }),
    parameters: tool.inputSchema,
    strict: false,
  };
}

export function toAnthropicTool({ name, tool, ...listed }: ListedTool): AnthropicTool {
  return { name, description: describedFor({ tool, ...listed }), input_schema: tool.inputSchema };
}
