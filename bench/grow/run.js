// What several processes on one PostgreSQL do together: `calculate` over REST and MCP with 1, 2 and 4 processes of
// `helve serve` behind a balancer that hands each connection to the next process. Rounds are interleaved; the results are
// ratios to one process, because absolute rates on a shared machine mean little.
//   node bench/grow/run.js [rounds 5] [milliseconds per round 3000] [lanes 32] [processes 1,2,4] [warm-up ms 15000]
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import { connect, load } from '../mcp/load.js';
import { median } from '../support/median.js';
import { serve } from '../support/serve.js';

const root = new URL(process.env.HELVE_DIST ?? '../../dist/', import.meta.url);
const [rounds = '5', roundMs = '3000', lanes = '32', counts = '1,2,4', warmUpMs = '15000'] = process.argv.slice(2);
const { startPostgres } = await import(new URL('testing/postgres.js', root));
const { startBalancer } = await import(new URL('testing/balancer.js', root));
const program = fileURLToPath(new URL('../bin/helve.js', root));
const folder = mkdtempSync(join(process.env.HELVE_BENCH_DIR ?? tmpdir(), 'helve-grow-'));
const keys = `bench:${randomBytes(32).toString('base64')}`;
const config =
  'limits: { per_ip: null, per_credential: null, per_principal: null, per_tool: null }\nagents:\n  - name: counter\n    tools: [calculate]\n';
const children = [];
const postgres = await startPostgres();
const postgresPid = readdirSync('/proc').find(
  (pid) => /^\d+$/.test(pid) && readStat(pid)[1] === String(process.pid) && isPostgres(pid),
);
try {
  const installations = [];
  for (const count of counts.split(',').map(Number)) installations.push(await install(count));
  const rates = await measure(installations);
  for (const door of ['REST', 'MCP']) {
    const [single] = installations;
    const one = median(rates.get(`${door} ${single.count}`));
    for (const { count } of installations) {
      const rate = median(rates.get(`${door} ${count}`));
      const used = ['helve', 'postgres'].map((who) => median(rates.get(`${door} ${count} ${who}`)).toFixed(0));
      const p99 = median(rates.get(`${door} ${count} p99`));
      console.log(
        `${door}, ${count} processes: ${rate.toFixed(0)} calls/s, ${(rate / one).toFixed(2)} × one; p99 ${p99.toFixed(0)} ms; µs of processor a call: helve ${used[0]}, postgres ${used[1]}`,
      );
    }
  }
} finally {
  for (const child of children) child.kill('SIGKILL');
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
// The clients' connections would keep this process alive.
process.exit();

/** Starts `count` processes on a database of their own, behind one address. */
async function install(count) {
  const database = await postgres.url();
  const balancer = await startBalancer();
  const data = (number) => join(folder, `${count}-${number}`);
  for (let number = 0; number < count; number++) {
    mkdirSync(data(number));
    writeFileSync(join(data(number), 'helve.yaml'), config);
    balancer.add(await startServer(data(number), database));
  }
  const made = await run(['agents', 'token', 'counter', '--data', data(0), '--json'], database);
  const { secret } = JSON.parse(made);
  const url = balancer.address;
  return {
    count,
    balancer,
    doors: {
      REST: restClient(url, secret),
      MCP: await connect({ url: `${url}/mcp/counter`, token: secret }, '2026-07-28'),
    },
  };
}

/** Medians need rounds that see the same machine: each round visits every number of processes, in changing order. */
async function measure(installations) {
  const rates = new Map();
  const keep = (key, value) => rates.set(key, [...(rates.get(key) ?? []), value]);
  for (let round = -1; round < Number(rounds); round++) {
    for (const door of ['REST', 'MCP']) {
      for (const { count, doors } of round % 2 ? [...installations].reverse() : installations) {
        const before = processorTime();
        // Each process compiles the code that it runs often: with four of them that takes four times as many calls.
        const ms = round < 0 ? Number(warmUpMs) * Math.sqrt(count) : Number(roundMs);
        const { throughput, latencies } = await load(doors[door], Number(lanes), ms);
        const after = processorTime();
        // The first round only warms up.
        if (round < 0) continue;
        keep(`${door} ${count}`, throughput);
        for (const who of ['helve', 'postgres'])
          keep(`${door} ${count} ${who}`, ((after[who] - before[who]) * 1_000_000) / latencies.length);
        const sorted = [...latencies].sort((a, b) => a - b);
        keep(`${door} ${count} p99`, sorted[Math.floor(sorted.length * 0.99)]);
      }
    }
    process.stderr.write(`\rround ${round + 1} of ${rounds} `);
  }
  process.stderr.write('\n');
  return rates;
}

/** Seconds of processor time that the processes of Helve, and the server of PostgreSQL, have used so far. */
function processorTime() {
  const times = { helve: 0, postgres: 0 };
  const ours = new Set(children.map(({ pid }) => String(pid)));
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const words = readStat(pid);
    const seconds = (Number(words[11]) + Number(words[12])) / 100;
    if (ours.has(pid)) times.helve += seconds;
    else if (words[1] === postgresPid) times.postgres += seconds;
  }
  return times;
}

function isPostgres(pid) {
  return readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('postgres');
}

/** The fields after the name of the program, which may contain spaces. */
function readStat(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

function restClient(url, secret) {
  const pool = new Pool(url, { connections: 64, pipelining: 1 });
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
  let number = 0;
  return {
    async call() {
      const body = JSON.stringify({ tool: 'calculate', input: { expression: `${++number} + 1` } });
      const { statusCode, body: answer } = await pool.request({
        path: '/api/tools/execute',
        method: 'POST',
        headers,
        body,
      });
      const text = await answer.text();
      if (statusCode !== 200) throw new Error(`${statusCode} ${text.slice(0, 300)}`);
    },
  };
}

function environment(database) {
  return { ...process.env, HELVE_DATABASE_URL: database, HELVE_VAULT_KEYS: keys };
}

async function run(args, database) {
  const child = spawn(process.execPath, [program, ...args], { env: environment(database) });
  let [out, problems] = ['', ''];
  child.stdout.on('data', (chunk) => (out += chunk));
  child.stderr.on('data', (chunk) => (problems += chunk));
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`${args[0]}: ${problems}`);
  return out;
}

/** Resolves to the port of a new process. */
async function startServer(data, database) {
  const onStart = (child) => children.push(child);
  const { url } = await serve(data, { env: environment(database), onStart, program });
  return Number(new URL(url).port);
}
