// The cost of watching calls: CPU of `helve.execute` on `calculate` with nothing, with lines of the log, and with
// traces, each in its own plane, alternating. Lines and spans are discarded; a disk and a collector would add to
// this.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NoopSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { createHelve } from 'helve';
import { cpuPerCall } from './support/cpu-per-call.js';
import { median } from './support/median.js';

const rounds = Number(process.argv[2] ?? 9);
const calls = 3_200;
const lanes = 32;
const watched = {
  nothing: {},
  'nothing again': {},
  'lines of the log': { log: { level: 'info', write: () => undefined } },
  traces: { tracerProvider: new TracerProvider({ spanProcessors: [new NoopSpanProcessor()] }) },
};

const planes = [];
for (const [name, options] of Object.entries(watched)) {
  const dataDir = mkdtempSync(join(process.env.HELVE_BENCH_DIR ?? tmpdir(), 'helve-bench-'));
  const helve = await createHelve({ dataDir, limits: { perPrincipal: null, perTool: null }, ...options });
  const { firstToken } = await helve.setUp();
  planes.push({ name, dataDir, helve, principal: await helve.plane.authenticate(firstToken), seen: [] });
}

const cpuOf = ({ helve, principal }) =>
  cpuPerCall((expression) => helve.execute({ principal, tool: 'calculate', input: { expression } }), { calls, lanes });

for (const plane of planes) for (let warm = 0; warm < 3; warm++) await cpuOf(plane);
for (let round = 0; round < rounds; round++) for (const plane of planes) plane.seen.push(await cpuOf(plane));
for (const { name, seen, helve, dataDir } of planes) {
  console.log(
    `${name}: ${median(seen).toFixed(1)} µs of CPU a call (${Math.min(...seen).toFixed(1)} to ${Math.max(...seen).toFixed(1)})`,
  );
  await helve.close();
  rmSync(dataDir, { recursive: true, force: true });
}
