/**
 * A result as MCP's `CallToolResult`. Text is cut to the budget. Structured content is sent only under
 * an advertised output schema, and always satisfies that schema (see `output-schema.ts`).
 */
import type { ToolFailure, ToolSuccess } from '../domain/execution.js';
import type { JsonSchema, JsonValue } from '../domain/json.js';
import type { ContentBlock } from '../domain/tool.js';
import { defined } from '../util/defined.js';
import { outputText } from '../util/json-text.js';
import { cut, forModel, type WrittenResult } from './for-model.js';
import { cutOutput, smallCharacters } from './output-schema.js';

export interface McpCallResult {
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: JsonValue;
  readonly isError?: true;
  readonly _meta: Readonly<Record<string, unknown>>;
}

/** Returns the result as MCP sends it, with at most `maxChars` characters of text. `outputSchema` is the advertised one. */
export function toMcpResult(result: WrittenResult, maxChars: number, outputSchema?: JsonSchema): McpCallResult {
  return result.ok ? success(result, maxChars, outputSchema) : failure(result, maxChars);
}

type WrittenSuccess = WrittenResult & ToolSuccess;

function success(given: WrittenSuccess, maxChars: number, outputSchema: JsonSchema | undefined): McpCallResult {
  const { executionId, handle, text = outputText(given.output) } = given;
  const result = { ...given, text };
  return {
    content: getContent(result, maxChars),
    ...(outputSchema === undefined ? {} : { structuredContent: structured(result, maxChars) }),
    _meta: { executionId, ...(handle === undefined ? {} : { handle: handle.handle }) },
  };
}

/** The tool's own content blocks; their long texts are cut only if the whole result is stored behind a handle. */
function getContent(result: WrittenSuccess, maxChars: number): readonly ContentBlock[] {
  if (result.content === undefined || result.content.length === 0) {
    return [{ type: 'text', text: forModel(result, maxChars) }];
  }
  if (result.handle === undefined) return result.content;
  return result.content.map((block) =>
    block.type === 'text' && block.text.length > maxChars
      ? { type: 'text', text: cut(block.text, maxChars, () => ` All of it: result_read, ${result.handle?.handle}.`) }
      : block,
  );
}

function structured(result: WrittenSuccess & { readonly text: string }, maxChars: number): JsonValue {
  const characters = result.handle?.characters ?? result.text.length;
  return characters > Math.max(maxChars, smallCharacters) ? cutOutput(result, characters) : result.output;
}

function failure(result: ToolFailure, maxChars: number): McpCallResult {
  const { code, retryable, details } = result.error;
  return {
    content: [{ type: 'text', text: forModel(result, maxChars) }],
    isError: true,
    _meta: { code, retryable, executionId: result.executionId, ...defined({ details }) },
  };
}
