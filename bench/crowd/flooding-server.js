// An MCP server over stdio that answers each call with 20,000 notifications that its list has changed.
import { createInterface } from 'node:readline';

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const tools = [{ name: 'flood', inputSchema: { type: 'object' } }];
const initialized = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: { listChanged: true } },
  serverInfo: { name: 'floods', version: '1' },
};
let left = 0;
const input = createInterface({ input: process.stdin });
input.on('close', () => process.exit());
input.on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  if (method === 'initialize') send({ id, result: initialized });
  else if (method === 'tools/list') send({ id, result: { tools } });
  else if (method === 'tools/call') {
    send({ id, result: { content: [] } });
    left = 20_000;
  } else send({ id, error: { code: -32601, message: 'Method not found' } });
});
setInterval(() => {
  for (let at = 0; at < 200 && left > 0; at += 1, left -= 1) send({ method: 'notifications/tools/list_changed' });
}, 10);
