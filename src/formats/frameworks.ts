/**
 * Tools as agent frameworks take them: plain records in their shapes, so that neither framework is a
 * dependency. Arguments are not checked here; the pipeline behind `execute` does that for every door.
 */
import type { ListedTool } from '../spec/execution.js';
import type { JsonSchema } from '../spec/json.js';

/** Runs the tool of that model-facing name; usually the plane's `execute`, bound to a principal. */
export type ExecuteTool = (name: string, input: unknown, signal?: AbortSignal) => Promise<unknown>;

/** The AI SDK knows its schemas by these two registered symbols (v4 and v5 look for different ones). */
const schemaMark = Symbol.for('vercel.ai.schema');
const validatorMark = Symbol.for('vercel.ai.validator');

interface AiSdkSchema {
  readonly [schemaMark]: true;
  readonly [validatorMark]: true;
  readonly jsonSchema: JsonSchema;
  validate(value: unknown): { success: true; value: unknown };
}

export interface AiSdkTool {
  readonly description: string;
  readonly inputSchema: AiSdkSchema;
  execute(input: unknown, options?: { abortSignal?: AbortSignal }): Promise<unknown>;
}

export interface MastraTool {
  readonly id: string;
  readonly description: string;
  readonly inputSchema: AiSdkSchema;
  execute(input: unknown, context?: { abortSignal?: AbortSignal }): Promise<unknown>;
}

export function toAiSdkTools(tools: readonly ListedTool[], execute: ExecuteTool): Record<string, AiSdkTool> {
  return byName(tools, ({ name, tool }) => ({
    description: tool.description,
    inputSchema: schemaOf(tool.inputSchema),
    execute: (input, options) => execute(name, input, options?.abortSignal),
  }));
}

export function toMastraTools(tools: readonly ListedTool[], execute: ExecuteTool): Record<string, MastraTool> {
  return byName(tools, ({ name, tool }) => ({
    id: name,
    description: tool.description,
    inputSchema: schemaOf(tool.inputSchema),
    execute: (input, context) => execute(name, input, context?.abortSignal),
  }));
}

function schemaOf(jsonSchema: JsonSchema): AiSdkSchema {
  return {
    [schemaMark]: true,
    [validatorMark]: true,
    jsonSchema,
    validate: (value) => ({ success: true, value }),
  };
}

function byName<Shape>(tools: readonly ListedTool[], shape: (tool: ListedTool) => Shape): Record<string, Shape> {
  return Object.fromEntries(tools.map((tool) => [tool.name, shape(tool)]));
}
