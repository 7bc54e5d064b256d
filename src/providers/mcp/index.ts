/** Any MCP server, over stdio or Streamable HTTP, as a toolkit. */
export { createMcpProvider, type ListingAccount, type McpProvider, type McpProviderOptions } from './mcp-provider.js';
export type { McpServerSource } from './source.js';
