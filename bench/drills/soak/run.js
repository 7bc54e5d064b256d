// A soak: 32 lanes of mixed requests against one `helve serve` for ten minutes. Reports the slope of its memory after the warm-up
// (bar: 1 MB a minute), its descriptors, how late its event loop was (p99 50 ms), and its longest turns (50 ms), each with what the
// main thread did meanwhile. A turn of the loop answers everything that has arrived, so after a wait for a processor it is longer.
//   node bench/drills/soak/run.js [--minutes 10] [--lanes 32] [--collect] [--profile folder]
// With --collect the server collects its garbage once a minute, so that what it keeps can be told from what it has not yet collected.
// With --profile the server writes a processor profile, and the stacks of the longest turns are printed.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { serve } from '../../support/serve.js';
import { createLanes } from './lanes.js';
import { stacksOf } from './stacks.js';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    lanes: { type: 'string', default: '32' },
    collect: { type: 'boolean', default: false },
    profile: { type: 'string' },
  },
});
const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const program = process.env.HELVE_PROGRAM ?? here('../../../bin/helve.js');
const folder = mkdtempSync(join(process.env.HELVE_BENCH_DIR ?? tmpdir(), 'helve-soak-'));
const data = join(folder, 'data');
const reports = join(folder, 'reports.jsonl');
const totalMs = Number(values.minutes) * 60_000;
const warmUpMs = totalMs * 0.3;

const upstream = spawn(process.execPath, [here('upstream.js')], { stdio: ['ignore', 'pipe', 'inherit'] });
let server;
try {
  server = await startServer(await firstLine(upstream));
  const { key, url } = JSON.parse(readFileSync(join(data, 'cli.json'), 'utf8'));
  const token = JSON.parse(helve('agents', 'token', 'soaker', '--json')).secret;
  helve('policies', 'set', 'ask', '--effect', 'require_approval', '--tool', 'key_value_set');
  const lanes = createLanes({ url, token, key });
  const { samples, usedMs } = await soak(lanes);
  await lanes.close();
  const exited = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGTERM');
  await exited;
  report(lanes, samples, usedMs);
} finally {
  server?.kill('SIGKILL');
  upstream.kill();
  rmSync(folder, { recursive: true, force: true });
}

function startServer(address) {
  mkdirSync(data);
  writeFileSync(
    join(data, 'helve.yaml'),
    `agents:
  - { name: soaker, tools: [calculate, key_value_set, upstream__echo] }
mcp_servers:
  upstream: { url: "${address}" }
limits: { per_ip: null, per_credential: null, per_principal: null, per_tool: null }
approvals: { pending_per_agent: 100 }
`,
  );
  const profiled = values.profile ? ['--cpu-prof', `--cpu-prof-dir=${values.profile}`] : [];
  const collects = values.collect ? ['--expose-gc'] : [];
  const execArgv = [`--import=${new URL('watch.js', import.meta.url)}`, ...collects, ...profiled];
  return serve(data, { program, execArgv, env: { ...process.env, HELVE_SOAK_REPORT: reports } });
}

async function firstLine(child) {
  for await (const line of createInterface({ input: child.stdout })) return line;
  throw new Error('The upstream server did not start');
}

function helve(...args) {
  return execFileSync(process.execPath, [program, ...args, '--data', data], { encoding: 'utf8' });
}

/** Samples the server every five seconds while the lanes run. */
async function soak(lanes) {
  const began = performance.now();
  const samples = [];
  const before = processorMs();
  const running = lanes.run(Number(values.lanes), began + totalMs);
  while (performance.now() < began + totalMs) {
    await pause(Math.min(5_000, totalMs / 10));
    const memory = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))[1]) / 1_000;
    const descriptors = readdirSync(`/proc/${server.pid}/fd`).length;
    const at = performance.now() - began;
    samples.push({ at, memory, descriptors });
    process.stderr.write(
      `\r${(at / 1_000).toFixed(0)} of ${totalMs / 1_000} s: ${lanes.count()} requests, ${memory.toFixed(0)} MB, ${descriptors} descriptors, ${lanes.failures.size} kinds of failures\x1b[K`,
    );
  }
  await running;
  process.stderr.write('\n');
  return { samples, usedMs: processorMs() - before };
}

function processorMs() {
  const [user, system] = readFileSync(`/proc/${server.pid}/stat`, 'utf8').split(') ')[1].split(' ').slice(11, 13);
  return (Number(user) + Number(system)) * 10;
}

function report(lanes, samples, usedMs) {
  const lines = existsSync(reports)
    ? readFileSync(reports, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    : [];
  const start = lines[0]?.at ?? 0;
  const all = lines.filter(({ at }) => at - start >= warmUpMs);
  const warm = all.filter(({ late }) => late !== undefined);
  const collected = all.filter(({ live }) => live !== undefined);
  const late = warm.map(({ late: { p99 } }) => p99).toSorted((one, other) => one - other);
  const turns = warm.flatMap((line) => line.turns).toSorted((one, other) => other.ms - one.ms);
  const own = ({ ms, waited }) => ms - waited;
  const owns = turns.toSorted((one, other) => own(other) - own(one));
  const settled = samples.filter(({ at }) => at >= warmUpMs);
  const descriptors = settled.map((sample) => sample.descriptors);
  console.table(lanes.times());
  console.table({
    'memory after the warm-up, MB a minute (≤ 1)': slope(
      settled.map(({ at, memory }) => [at / 60_000, memory]),
    ).toFixed(2),
    'memory in use by JavaScript, MB a minute': slope(
      warm.map(({ at, heapUsed }) => [at / 60_000, heapUsed / 1e6]),
    ).toFixed(2),
    ...(values.collect && {
      'memory in use after a collection, MB a minute': slope(
        collected.map(({ at, live }) => [at / 60_000, live / 1e6]),
      ).toFixed(2),
      'memory after a collection, at the end: in use, of the process, MB': `${(collected.at(-1)?.live / 1e6).toFixed(0)}, ${(collected.at(-1)?.rss / 1e6).toFixed(0)}`,
    }),
    'memory at the end, MB': settled.at(-1)?.memory.toFixed(0),
    'descriptors after the warm-up, least and most': `${Math.min(...descriptors)}, ${Math.max(...descriptors)}`,
    'event loop late, p99 of five seconds, median and worst, ms (≤ 50)': `${late[late.length >> 1]?.toFixed(0)}, ${late.at(-1)?.toFixed(0)}`,
    'most in one turn: computing, neither computing nor waiting for a processor, ms': `${most(turns, ({ computed }) => computed)}, ${most(turns, ({ ms, computed, waited }) => ms - computed - waited)}`,
    'turns over 50 ms; of these over 50 ms without waiting for a processor': `${turns.length}, ${owns.filter((turn) => own(turn) > 50).length}`,
    'processor, ms a request': (usedMs / lanes.count()).toFixed(2),
    'requests a second': ((lanes.count() / totalMs) * 1_000).toFixed(0),
  });
  for (const [title, longest] of Object.entries({ 'longest turns': turns, 'without waiting for a processor': owns }))
    console.log(
      title,
      longest.slice(0, 5).map(({ ms, computed, waited }) => ({ ms, computed, waited })),
    );
  if (lanes.failures.size > 0) console.log('failures', lanes.failures);
  if (values.profile) console.log(stacksOf(values.profile, owns.slice(0, 8)));
  process.exitCode = lanes.failures.size > 0 ? 1 : 0;
}

function most(turns, of) {
  return Math.max(0, ...turns.map(of)).toFixed(0);
}

/** The slope of the least-squares line through these points. */
function slope(points) {
  const mean = (all) => all.reduce((sum, one) => sum + one, 0) / all.length;
  const [x, y] = [mean(points.map(([at]) => at)), mean(points.map(([, value]) => value))];
  const across = points.reduce((sum, [at, value]) => sum + (at - x) * (value - y), 0);
  return across / points.reduce((sum, [at]) => sum + (at - x) ** 2, 0);
}
