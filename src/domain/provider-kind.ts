/** Where toolkits come from: code of this repository, an API's description, an MCP server, Composio. */
export type ProviderKind = 'native' | 'openapi' | 'mcp' | 'composio';
