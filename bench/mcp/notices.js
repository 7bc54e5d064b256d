// What an MCP server that sends endless notifications costs other callers: the time of `calculate`, one call after another,
// alternately without and with 20,000 `tools/list_changed` in progress. One run, interleaved.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHelve } from 'helve';

const rounds = Number(process.argv[2] ?? 5);
const data = mkdtempSync(join(process.env.HELVE_BENCH_DIR ?? tmpdir(), 'helve-bench-'));
const script = `
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const initialize = { protocolVersion: '2025-11-25', capabilities: { tools: { listChanged: true } }, serverInfo: { name: 'x', version: '1' } };
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  if (method === 'initialize') return send({ id, result: initialize });
  if (method === 'tools/list') return send({ id, result: { tools: [{ name: 'flood', inputSchema: { type: 'object' } }] } });
  if (method !== 'tools/call') return send({ id, error: { code: -32601, message: 'Method not found' } });
  send({ id, result: { content: [] } });
  let left = 20000;
  const some = () => { for (let at = 0; at < 200 && left > 0; at++, left--) send({ method: 'notifications/tools/list_changed' }); if (left > 0) setTimeout(some, 10); };
  some();
});`;
const config = `mcp_servers:\n  talks: { command: ${JSON.stringify(process.execPath)}, args: ["-e", ${JSON.stringify(script)}] }\n`;
const helve = await createHelve({
  dataDir: data,
  config,
  limits: { perPrincipal: null, perTool: null },
  reportError: () => {},
});
const { firstAgent, workspaceId } = await helve.setUp();
const admin = (await helve.plane.redeemAdminLink(await helve.adminLink(workspaceId))).principal;
await helve.plane.replaceGrants(admin, firstAgent, [
  { toolkit: 'talks', tools: ['flood'], limits: {}, config: {} },
  { toolkit: 'math', tools: ['calculate'], limits: {}, config: {} },
]);
await helve.plane.replacePolicies(admin, [{ id: 'all', effect: 'allow', when: {} }]);
const principal = { agent: firstAgent };

async function times(ms) {
  const seen = [];
  for (const end = performance.now() + ms; performance.now() < end; ) {
    const since = performance.now();
    await helve.tools({ principal });
    await helve.execute({ principal, tool: 'calculate', input: { expression: '1 + 1' } });
    seen.push(performance.now() - since);
  }
  return seen;
}
const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
await times(1_000);
const p50 = { calm: [], flood: [] };
for (let round = 0; round < rounds; round++) {
  p50.calm.push(median(await times(1_500)));
  await helve.execute({ principal, tool: 'talks__flood', input: {} });
  p50.flood.push(median(await times(1_500)));
  await new Promise((resolve) => setTimeout(resolve, 1_500));
}
console.log({
  'p50 ms, calm': median(p50.calm).toFixed(1),
  'p50 ms, while a server floods': median(p50.flood).toFixed(1),
  ratio: (median(p50.flood) / median(p50.calm)).toFixed(2),
});
await helve.close();
rmSync(data, { recursive: true, force: true });
