// The cost of the plane for a call that never leaves the process: CPU time of `helve.execute` on `calculate`, with both
// rows of its record durable, minus that of the bare function; 32 lanes, interleaved with the bare function.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHelve } from 'helve';
import { calculate, calculateToString } from 'helve/calculate';
import { cpuPerCall } from './support/cpu-per-call.js';
import { median } from './support/median.js';

const rounds = Number(process.argv[2] ?? 9);
const calls = 6_400;
const lanes = 32;
const data = mkdtempSync(join(process.env.HELVE_BENCH_DIR ?? tmpdir(), 'helve-bench-'));
const helve = await createHelve({ dataDir: data, limits: { perPrincipal: null, perTool: null } });
const { firstToken } = await helve.setUp();
const principal = await helve.plane.authenticate(firstToken);

const subjects = {
  bare: async (expression) => ({ result: calculate(expression), text: calculateToString(expression) }),
  helve: (expression) => helve.execute({ principal, tool: 'calculate', input: { expression } }),
};

const seen = { bare: [], helve: [] };
for (const work of Object.values(subjects))
  for (let warm = 0; warm < 3; warm++) await cpuPerCall(work, { calls, lanes });
for (let round = 0; round < rounds; round++) {
  for (const [name, work] of Object.entries(subjects)) seen[name].push(await cpuPerCall(work, { calls, lanes }));
}
await helve.close();
rmSync(data, { recursive: true, force: true });
console.log({
  'CPU µs a call above the bare function (≤ 40)': (median(seen.helve) - median(seen.bare)).toFixed(0),
  'bare function, µs': median(seen.bare).toFixed(1),
  'least seen': (Math.min(...seen.helve) - Math.min(...seen.bare)).toFixed(0),
});
