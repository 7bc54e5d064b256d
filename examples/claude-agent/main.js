import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { toolsFor } from 'helve/claude-agent';
import { check } from '../support/check.js';
import { agent, openPlane, turns } from '../support/plane.js';

const helve = await openPlane();
const server = await toolsFor(helve, { principal: agent });
// With the SDK: query({ prompt, options: { mcpServers: { helve: server }, allowedTools: ['mcp__helve__*'] } })

// Without it, the official MCP client, connected in the same way, makes the calls of the script.
const [ours, theirs] = InMemoryTransport.createLinkedPair();
const sent = [];
const send = ours.send.bind(ours);
ours.send = (message, options) => {
  sent.push(JSON.parse(JSON.stringify(message)));
  return send(message, options);
};
await server.instance.connect(ours);
const client = new Client({ name: 'claude', version: '1.0.0' });
await client.connect(theirs);
await client.listTools();
const results = [];
for (const { calls = [] } of turns) {
  for (const call of calls) results.push(await client.callTool(call));
}

const sentTools = sent.find(({ result }) => result?.tools).result.tools;
await check(helve, { api: 'mcp', sentTools, told: results[0], text: turns.at(-1).text });
await client.close();
await helve.close();
