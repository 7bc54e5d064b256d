// An MCP server of the official SDK with one tool, whose answer is 8 KB of text and the message that it was sent.
import { createAdaptorServer } from '@hono/node-server';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

const filling = 'What was said comes back. '.repeat(315);
const handler = createMcpHandler(() => {
  const server = new McpServer({ name: 'echo', version: '1' });
  const shape = { description: 'Says it again', inputSchema: z.object({ message: z.string() }) };
  server.registerTool('echo', { ...shape, annotations: { readOnlyHint: true } }, ({ message }) => ({
    content: [{ type: 'text', text: `${message} ${filling}` }],
  }));
  return server;
});
const server = createAdaptorServer({ fetch: (request) => handler.fetch(request) });
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/mcp`));
