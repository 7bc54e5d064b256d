// What a call over MCP sessions (2025-11-25, 32 clients) costs the processor: `calculate` and two answers of 8 KB, by `helve serve` and by
// a bare server of SDK 1.x. Builds of Helve can be compared: each folder given is one, with `dist` and `bin` in it. Rounds are interleaved.
//   node bench/mcp/answers.js [--rounds 5] [--calls 3000] [--lanes 32] [--postgres] [folder …]
// With --postgres Helve's builds keep their data there, and a tool with an effect is measured too, without a control.
// With HELVE_PROFILE=<folder> the servers write processor profiles there.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { median } from '../support/median.js';
import { serve } from '../support/serve.js';
import { connect } from './load.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    calls: { type: 'string', default: '3000' },
    lanes: { type: 'string', default: '32' },
    postgres: { type: 'boolean', default: false },
  },
});
const [rounds, calls, lanes] = [values.rounds, values.calls, values.lanes].map(Number);
const builds = positionals.length > 0 ? positionals : [fileURLToPath(new URL('../..', import.meta.url))];
const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const folder = mkdtempSync(join(process.env.HELVE_BENCH_DIR ?? tmpdir(), 'helve-answers-'));
const warmUp = Math.min(3_000, 3 * calls);
const profile = process.env.HELVE_PROFILE;
const execArgv = profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : [];
const message = { input: (id) => ({ message: `message ${id}` }), sign: /"result"/ };
const setting = { name: 'key_value_set', input: (id) => ({ key: `key ${id % 100}`, value: id }), sign: /"result"/ };
const wanted = [undefined, { name: 'echo_text', ...message }, { name: 'echo_rows', ...message }];

const { startPostgres } = await import(new URL('../../dist/testing/postgres.js', import.meta.url));
const postgres = values.postgres ? await startPostgres() : undefined;
/** @type {{ name: string, child: import('node:child_process').ChildProcess, address: object }[]} */
const servers = [];
try {
  servers.push(await startBare());
  for (const [number, build] of builds.entries()) servers.push(await startHelve(resolve(build), `helve ${number + 1}`));
  for (const call of wanted) await compare(call, servers);
  if (postgres) await compare(setting, servers.slice(1));
} finally {
  for (const { child } of servers) child.kill('SIGTERM');
  await Promise.all(servers.map(({ child }) => new Promise((done) => child.once('exit', done))));
  await postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function startBare() {
  const child = spawn(process.execPath, [...execArgv, here('bare-server.js'), 'v1'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout }))
    return { name: 'bare', child, address: JSON.parse(line) };
  throw new Error('The bare server did not start');
}

async function startHelve(build, name) {
  const data = join(folder, name.replace(' ', '-'));
  mkdirSync(data);
  writeFileSync(
    join(data, 'helve.yaml'),
    'agents:\n  - { name: caller, tools: [calculate, echo_text, echo_rows, key_value_set] }\nlimits: { per_ip: null, per_credential: null, per_principal: null, per_tool: null }\n',
  );
  const program = join(build, 'bin', 'helve.js');
  const env = postgres ? { ...process.env, HELVE_DATABASE_URL: await postgres.url() } : process.env;
  const child = await serve(data, { program, execArgv, env, args: ['--toolkit', here('echo.js')] });
  const { key, url } = JSON.parse(readFileSync(join(data, 'cli.json'), 'utf8'));
  const made = await fetch(`${url}/api/agents/caller/tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: '{}',
  });
  const { secret } = await made.json();
  return { name, child, address: { url: `${url}/mcp/caller`, token: secret } };
}

/** The first of `among` is the control. */
async function compare(call, among) {
  const clients = new Map();
  for (const { name, address } of among) clients.set(name, await connect(address, '2025-11-25', call));
  const used = new Map(among.map(({ name }) => [name, []]));
  const waited = new Map(among.map(({ name }) => [name, []]));
  for (const { name } of among) await make(clients.get(name), warmUp);
  for (let round = 0; round < rounds; round++) {
    for (const { name, child } of round % 2 ? among.toReversed() : among) {
      const before = processorMs(child.pid);
      waited.get(name).push(median(await make(clients.get(name), calls)));
      used.get(name).push(((processorMs(child.pid) - before) / calls) * 1_000);
    }
  }
  const control = among[0].name;
  for (const [name, each] of used) {
    const ratio = (values) => (median(values.get(name)) / median(values.get(control))).toFixed(2);
    console.log(
      `${call?.name ?? 'calculate'}, ${name}: ${median(each).toFixed(0)} µs of processor a call, ${ratio(used)} × ${control}, p50 ${median(waited.get(name)).toFixed(2)} ms, ${ratio(waited)} ×; rounds ${each.map((one) => one.toFixed(0)).join(' ')}`,
    );
  }
  for (const client of clients.values()) await client.close();
}

/** Returns the milliseconds of each call. */
async function make(client, count) {
  const latencies = [];
  let left = count;
  const lane = async () => {
    while (left-- > 0) {
      const start = performance.now();
      await client.call();
      latencies.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return latencies;
}

function processorMs(pid) {
  const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ').slice(11, 13);
  return (Number(user) + Number(system)) * 10;
}
