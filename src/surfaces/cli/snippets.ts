/** Configuration snippets for MCP clients that a new user can paste. */

export interface SnippetFacts {
  readonly mcpUrl: string;
  readonly token: string;
  readonly agent: string;
  /** The absolute path of `bin/helve.js`, for clients that support only stdio. */
  readonly program: string;
  readonly dataDir: string;
}

export function snippets(facts: SnippetFacts): { client: string; text: string }[] {
  const headers = { Authorization: `Bearer ${facts.token}` };
  const stdio = {
    command: 'node',
    args: [facts.program, 'serve', '--stdio', '--agent', facts.agent, '--data', facts.dataDir],
  };
  return [
    {
      client: 'Claude Code',
      text: `claude mcp add --transport http helve ${facts.mcpUrl} --header "Authorization: Bearer ${facts.token}"`,
    },
    {
      client: 'Cursor (.cursor/mcp.json)',
      text: JSON.stringify({ mcpServers: { helve: { url: facts.mcpUrl, headers } } }),
    },
    {
      client: 'VS Code (.vscode/mcp.json)',
      text: JSON.stringify({ servers: { helve: { type: 'http', url: facts.mcpUrl, headers } } }),
    },
    { client: 'Claude Desktop (claude_desktop_config.json)', text: JSON.stringify({ mcpServers: { helve: stdio } }) },
  ];
}
