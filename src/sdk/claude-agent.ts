/**
 * Tools for the Claude Agent SDK, as an MCP server in this process: the configuration that its `createSdkMcpServer` makes,
 * around a server whose low-level handlers pass schemas unchanged (the SDK's `tool()` would convert them to Zod).
 */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { type McpCallResult, type McpTool, toMcpResult, toMcpTool } from '../formats/index.js';
import { peer } from '../util/peer.js';
import { type BoundTool, bindTools, budget, resultText } from './bind-tools.js';
import type { AdapterOptions, ToolSource } from './tool-source.js';

export type ClaudeAgentOptions<Who> = AdapterOptions<Who> & {
  /** The server's name; the model sees tools as `mcp__<name>__<tool>`. Default `helve`. */
  readonly name?: string;
};

/** A value of `query({ options: { mcpServers: { helve: … } } })`. */
export interface ClaudeAgentServer {
  readonly type: 'sdk';
  readonly name: string;
  readonly instance: McpServer;
}

/** Returns an in-process MCP server with the principal's tools. Throws `invalid_config` if the MCP SDK is not installed. */
export async function toolsFor<Who>(
  source: ToolSource<Who>,
  options = {} as ClaudeAgentOptions<Who>,
): Promise<ClaudeAgentServer> {
  const { name = 'helve' } = options;
  const mcp = '@modelcontextprotocol/sdk';
  const sdk = await peer(mcp, () => import('@modelcontextprotocol/sdk/server/mcp.js'));
  const types = await peer(mcp, () => import('@modelcontextprotocol/sdk/types.js'));
  const tools = new Map((await bindTools(source, options)).map((tool) => [tool.name, tool]));
  const instance = new sdk.McpServer({ name, version: '1.0.0' }, { capabilities: { tools: {} } });

  instance.server.setRequestHandler(types.ListToolsRequestSchema, () => ({
    tools: [...tools.values()].map((tool) => described(tool) as never),
  }));
  instance.server.setRequestHandler(types.CallToolRequestSchema, async ({ params }, { signal }) => {
    const tool = tools.get(params.name);
    if (tool === undefined) {
      throw new types.McpError(types.ErrorCode.InvalidParams, `Unknown tool: ${JSON.stringify(params.name)}`);
    }
    return (await called(tool, params.arguments, signal, options)) as never;
  });
  return { type: 'sdk', name, instance };
}

/** Without an output schema, because the model gets only text and content of a result. */
function described({ listed }: BoundTool): Omit<McpTool, 'outputSchema'> {
  const { outputSchema: _outputSchema, ...rest } = structuredClone(toMcpTool(listed));
  return rest;
}

async function called<Who>(
  tool: BoundTool,
  input: unknown,
  signal: AbortSignal,
  options: ClaudeAgentOptions<Who>,
): Promise<McpCallResult> {
  const result = await tool.call(input, signal);
  const shown = toMcpResult(result, budget(result, options));
  if (options.format !== 'standard') return shown;
  return { ...shown, content: [{ type: 'text', text: resultText(result, options) }] };
}
