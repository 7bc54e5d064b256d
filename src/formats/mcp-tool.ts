/** A tool in the form of MCP's tools/list. */
import type { ListedTool } from '../domain/execution.js';
import type { JsonSchema } from '../domain/json.js';
import type { Tool, ToolAnnotations } from '../domain/tool.js';
import { describedFor } from '../util/approval-note.js';
import { defined } from '../util/defined.js';
import { advertisedOutputSchema } from './output-schema.js';

export interface McpTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly annotations: ToolAnnotations & { readonly title: string };
}

/** Tools are immutable and few, so the listing of each is computed once. */
const known = new WeakMap<Tool, Omit<McpTool, 'name'>>();

export function toMcpTool({ name, tool, approval }: ListedTool): McpTool {
  let facts = known.get(tool);
  if (facts === undefined) {
    facts = describe(tool);
    known.set(tool, facts);
  }
  if (approval === undefined) return { name, ...facts };
  return { name, ...facts, description: describedFor({ tool, approval }) };
}

function describe(tool: Tool): Omit<McpTool, 'name'> {
  const outputSchema = tool.outputSchema && advertisedOutputSchema(tool.outputSchema);
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = tool.annotations;
  return {
    title: tool.title,
    description: tool.description,
    inputSchema: tool.inputSchema,
    ...defined({ outputSchema }),
    annotations: { title: tool.title, readOnlyHint, destructiveHint, idempotentHint, openWorldHint },
  };
}
