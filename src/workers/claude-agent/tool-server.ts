/**
 * The agent's tools as an MCP server in this process: it makes no calls itself, and returns the results of the calls of
 * the run.
 */
import type { DrivenWork } from '../../domain/agent-driver.js';
import { HelveError } from '../../domain/errors.js';
import { peer } from '../../util/peer.js';

export const serverName = 'helve';

/** As the program names a tool of this server. */
export const toShownName = (name: string): string => `mcp__${serverName}__${name}`;

/** Which call of the model's answer it is, as the program says. */
const idField = 'claudecode/toolUseId';

/** Returns the MCP SDK's `McpServer`. Throws `invalid_config` if the MCP SDK is not installed. */
export async function createToolServer({ tools, resultOf }: DrivenWork): Promise<unknown> {
  const mcp = '@modelcontextprotocol/sdk';
  const sdk = await peer(mcp, () => import('@modelcontextprotocol/sdk/server/mcp.js'));
  const types = await peer(mcp, () => import('@modelcontextprotocol/sdk/types.js'));
  const instance = new sdk.McpServer({ name: serverName, version: '1.0.0' }, { capabilities: { tools: {} } });
  instance.server.setRequestHandler(types.ListToolsRequestSchema, () => ({
    // The model is shown the tools that the agent has at that moment, with their schemas, when it is asked.
    tools: tools.map((name) => ({ name, description: name, inputSchema: { type: 'object' as const } })),
  }));
  instance.server.setRequestHandler(types.CallToolRequestSchema, async ({ params }) => {
    const id = params._meta?.[idField];
    if (typeof id !== 'string')
      throw new HelveError(
        'upstream_failed',
        `The program of the Claude Agent SDK does not say which call of ${params.name} it means`,
        {
          hint: 'Install the version of the SDK that docs/tasks.md names.',
        },
      );
    const { text, isError = false } = await resultOf(id);
    return { content: [{ type: 'text' as const, text }], isError };
  });
  return instance;
}
