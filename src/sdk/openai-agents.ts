/** Tools for the OpenAI Agents SDK (`@openai/agents`): function tools that are not strict, so that schemas stay unchanged. */
import type { FunctionTool } from '@openai/agents';
import { peer } from '../util/peer.js';
import { type BoundTool, bindTools, freshSchema } from './bind-tools.js';
import type { AdapterOptions, ToolSource } from './tool-source.js';

/** Returns the principal's tools for an `Agent`'s `tools`. */
export async function toolsFor<Who>(
  source: ToolSource<Who>,
  options = {} as AdapterOptions<Who>,
): Promise<FunctionTool[]> {
  const sdk = await peer('@openai/agents', () => import('@openai/agents'));
  return (await bindTools(source, options)).map((tool) => shaped(tool, sdk));
}

type AgentsSdk = typeof import('@openai/agents');

function shaped(tool: BoundTool, sdk: AgentsSdk): FunctionTool {
  const made = sdk.tool({
    name: tool.name,
    description: tool.description,
    parameters: freshSchema(tool) as never,
    strict: false,
    execute: (input: unknown, _context?: unknown, details?: { signal?: AbortSignal }) =>
      tool.answer(input, details?.signal),
  });
  // `tool()` turns hyphens in a name into underscores.
  return Object.assign(made, { name: tool.name }) as unknown as FunctionTool;
}
