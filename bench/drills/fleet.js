// Several processes of `helve serve` on one PostgreSQL behind a balancer, clients that write through it, and a report
// on the outcome of their calls. Used by the drills.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { startBalancer } from '../../dist/testing/balancer.js';
import { startPostgres } from '../../dist/testing/postgres.js';
import { serve } from '../support/serve.js';

export const ownProgram = fileURLToPath(new URL('../../bin/helve.js', import.meta.url));
export const config =
  'limits: { per_ip: null, per_credential: null, per_principal: null, per_tool: null }\nagents:\n  - name: writer\n    tools: [key_value_set, key_value_get, calculate]\n';

/** `more`: the rest of `helve.yaml`, after the list of agents. `close` ends every process that it started. */
export async function openFleet({ more = '', settings = {} } = {}) {
  const folder = mkdtempSync(join(process.env.HELVE_BENCH_DIR ?? tmpdir(), 'helve-drill-'));
  const postgres = await startPostgres();
  const database = await postgres.url();
  const balancer = await startBalancer();
  const env = {
    ...process.env,
    HELVE_DATABASE_URL: database,
    HELVE_VAULT_KEYS: `drill:${randomBytes(32).toString('base64')}`,
    ...settings,
  };
  const running = new Set();
  let count = 0;

  /** `own`: environment variables of this process alone. */
  async function start(program = ownProgram, own = {}) {
    const data = join(folder, `process-${++count}`);
    mkdirSync(data);
    writeFileSync(join(data, 'helve.yaml'), config + more);
    const child = await serve(data, { env: { ...env, ...own }, program, onStart: (one) => running.add(one) });
    const port = Number(new URL(child.url).port);
    balancer.add(port);
    return { child, data, port, url: child.url };
  }

  async function end({ child, port }, signal) {
    if (signal === 'SIGTERM') balancer.remove(port);
    const gone = new Promise((done) => child.once('exit', done));
    child.kill(signal);
    await gone;
    balancer.remove(port);
    running.delete(child);
  }

  return {
    folder,
    postgres,
    balancer,
    database,
    start,
    /** As in a rolling restart: it gets no new calls, and its running calls are answered. */
    stop: (one) => end(one, 'SIGTERM'),
    /** As in a crash: the balancer skips a process that no longer listens. */
    kill: (one) => end(one, 'SIGKILL'),
    run: (args, program = ownProgram) => run(program, args, env),
    async token({ data }, agent = 'writer') {
      return JSON.parse(await run(ownProgram, ['agents', 'token', agent, '--data', data, '--json'], env)).secret;
    },
    /** Writes with this many clients until `stop`, with one key per call and each call once. */
    load: (secret, lanes) => startLoad(balancer.address, secret, lanes),
    /** The outcome of these calls according to the store. */
    async account(calls) {
      const client = new pg.Client({ connectionString: database, options: '-c search_path=helve' });
      await client.connect();
      const query = async (text) => (await client.query(text)).rows;
      const verify = () => run(ownProgram, ['audit', 'verify', '--store', database], env);
      return readAccount(query, calls, verify).finally(() => client.end());
    },
    async close() {
      for (const child of running) child.kill('SIGKILL');
      await balancer.close();
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export function startLoad(address, secret, lanes) {
  const calls = { sent: 0, answered: [], refused: [], cut: [], times: [], slowest: 0 };
  let writing = true;
  async function write(lane) {
    for (let number = 0; writing; number++) {
      const key = `key-${lane}-${number}`;
      calls.sent += 1;
      const at = performance.now();
      try {
        const reply = await callTool(address, secret, 'key_value_set', { key, value: key });
        if (reply.ok) calls.answered.push(key);
        else
          calls.refused.push({
            key,
            at,
            code: reply.error?.code ?? reply.code ?? 'none',
            message: reply.error?.message,
          });
      } catch (error) {
        calls.cut.push({ key, at, code: error.cause?.code ?? error.message });
      }
      calls.times.push(performance.now() - at);
      calls.slowest = Math.max(calls.slowest, performance.now() - at);
    }
  }
  const lanesDone = Array.from({ length: lanes }, (_, lane) => write(lane));
  return {
    calls,
    async stop() {
      writing = false;
      await Promise.all(lanesDone);
      return calls;
    },
  };
}

/** One call over a connection of its own, so that the balancer chooses for each; the answer's body. */
export async function callTool(address, secret, tool, input) {
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json', connection: 'close' };
  const body = JSON.stringify({ tool, input });
  const response = await fetch(new URL('/api/tools/execute', address), { method: 'POST', headers, body });
  return response.json();
}

/** `lost`: answered calls without a finished row or without their value; `twice`: calls that were started more than once; `open`: starts without an end. */
export async function readAccount(query, { answered }, verify) {
  const values = new Set((await query('select key from key_values')).map(({ key }) => key));
  const starts = new Map();
  const ids = new Map();
  for (const { body, execution_id } of await query(
    `select body, execution_id from audit_events where type = 'execution.started'`,
  )) {
    const key = /"key-\d+-\d+"/.exec(body)?.[0].slice(1, -1);
    if (key === undefined) continue;
    starts.set(key, (starts.get(key) ?? 0) + 1);
    ids.set(key, execution_id);
  }
  const ended = await query(`select execution_id from audit_events where type = 'execution.finished'`);
  const finished = new Set(ended.map(({ execution_id }) => execution_id));
  // Another process settles the calls that a killed one left open.
  let open = -1;
  for (let tries = 0; open !== 0 && tries < 900; tries++) {
    if (tries > 0) await pause(100);
    open = Number((await query('select count(*) as count from intents'))[0].count);
  }
  const chain = await verify().then(
    (text) => text.trim().split('\n').at(-1),
    (error) => `broken: ${error.message}`,
  );
  return {
    lost: answered.filter((key) => !values.has(key) || !finished.has(ids.get(key))).length,
    twice: [...starts.values()].filter((times) => times > 1).length,
    open,
    chain,
  };
}

export function run(program, args, env) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...args], { env });
    let [out, problems] = ['', ''];
    child.stdout.on('data', (chunk) => (out += chunk));
    child.stderr.on('data', (chunk) => (problems += chunk));
    child.once('close', (code) => (code === 0 ? resolve(out) : reject(new Error(`${args[0]}: ${problems}${out}`))));
  });
}

export const pause = (ms) => new Promise((resume) => setTimeout(resume, ms));
