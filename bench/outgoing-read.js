// The cost of the start row of a read that leaves the machine: the same empty tool, once as a tool that stays here (both rows
// in one commit) and once as a tool that goes out (one commit before it and one after it). Interleaved; SQLite on disk.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHelve } from 'helve';

const rounds = Number(process.argv[2] ?? 9);
const calls = 3_200;
const lanes = [1, 32];
const data = mkdtempSync(join(process.env.HELVE_BENCH_DIR ?? tmpdir(), 'helve-bench-'));
const read = (name, openWorldHint) => ({
  name,
  title: name,
  description: 'Does nothing',
  inputSchema: { type: 'object' },
  capabilities: ['do nothing'],
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint },
  execute: async () => 'done',
});
const tools = [read('here', false), read('outside', true)];
const helve = await createHelve({ dataDir: data, tools, limits: { perPrincipal: null, perTool: null } });
const { firstAgent, workspaceId } = await helve.setUp();
const admin = (await helve.plane.redeemAdminLink(await helve.adminLink(workspaceId))).principal;
await helve.plane.replaceGrants(admin, firstAgent, [
  { toolkit: 'custom', tools: ['here', 'outside'], limits: {}, config: {} },
]);
const principal = { agent: firstAgent };

async function measure(tool, width, count) {
  const cpu = process.cpuUsage();
  const since = performance.now();
  const answers = [];
  for (let done = 0; done < count; done += width)
    answers.push(
      ...(await Promise.all(Array.from({ length: width }, () => helve.execute({ principal, tool, input: {} })))),
    );
  if (answers.some(({ ok }) => !ok)) throw new Error('a call failed');
  const { user, system } = process.cpuUsage(cpu);
  return { cpu: (user + system) / count, wall: ((performance.now() - since) * 1_000) / count };
}

const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
for (const width of lanes) {
  const count = width === 1 ? calls / 16 : calls;
  const seen = { here: [], outside: [] };
  for (const name of Object.keys(seen)) await measure(name, width, count);
  for (let round = 0; round < rounds; round++)
    for (const [name, list] of Object.entries(seen)) list.push(await measure(name, width, count));
  const of = (name, what) => median(seen[name].map((one) => one[what]));
  console.log({
    lanes: width,
    'CPU µs, here / outside': `${of('here', 'cpu').toFixed(0)} / ${of('outside', 'cpu').toFixed(0)}`,
    'CPU ratio': (of('outside', 'cpu') / of('here', 'cpu')).toFixed(2),
    'time µs, here / outside': `${of('here', 'wall').toFixed(0)} / ${of('outside', 'wall').toFixed(0)}`,
    'time ratio': (of('outside', 'wall') / of('here', 'wall')).toFixed(2),
  });
}
await helve.close();
rmSync(data, { recursive: true, force: true });
