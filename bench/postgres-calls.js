// What a call costs on PostgreSQL without HTTP: processor time of this process and of the server's sessions, and its duration.
// Builds of Helve can be compared: each folder given is one, with `dist` in it. Rounds are interleaved.
//   node bench/postgres-calls.js [--rounds 7] [--calls 300] [--lanes 1] [folder …]
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { median } from './support/median.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '7' },
    calls: { type: 'string', default: '300' },
    lanes: { type: 'string', default: '1' },
  },
});
const [rounds, calls, lanes] = [values.rounds, values.calls, values.lanes].map(Number);
const folders = positionals.length > 0 ? positionals : [fileURLToPath(new URL('..', import.meta.url))];
const data = mkdtempSync(join(process.env.HELVE_BENCH_DIR ?? tmpdir(), 'helve-bench-'));
const subjects = {
  calculate: (number) => ({ tool: 'calculate', input: { expression: `${number} + 1` } }),
  key_value_set: (number) => ({ tool: 'key_value_set', input: { key: `key ${number % 50}`, value: number } }),
};

const { startPostgres } = await import(new URL('../dist/testing/postgres.js', import.meta.url));
const server = await startPostgres();
const builds = [];
for (const [number, folder] of folders.entries()) builds.push(await open(resolve(folder), number));
for (const [name, makeCall] of Object.entries(subjects)) {
  const seen = builds.map(() => ({ ms: [], process: [], server: [] }));
  for (const build of builds) await measure(build, makeCall);
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 ? [...builds.keys()].toReversed() : builds.keys();
    for (const place of order)
      for (const [what, value] of Object.entries(await measure(builds[place], makeCall))) seen[place][what].push(value);
  }
  for (const [place, each] of seen.entries())
    console.log(
      `${name}, ${folders[place]}: p50 ${median(each.ms).toFixed(2)} ms, µs of processor: this process ${median(each.process).toFixed(0)}, server ${median(each.server).toFixed(0)}; rounds ${each.server.map((one) => one.toFixed(0)).join(' ')}`,
    );
}
for (const { helve, observer } of builds) {
  await observer.end();
  await helve.close();
}
await server.stop();
rmSync(data, { recursive: true, force: true });

async function open(folder, number) {
  const { createHelve } = await import(pathToFileURL(join(folder, 'dist/bundle/index.js')).href);
  const database = await server.url();
  const limits = { perPrincipal: null, perTool: null };
  const helve = await createHelve({ database, dataDir: join(data, String(number)), databasePoolSize: 2, limits });
  await helve.setUp();
  const observer = new pg.Client(database);
  await observer.connect();
  return { helve, observer };
}

async function measure({ helve, observer }, makeCall) {
  const durations = [];
  const [own, sessions] = [process.cpuUsage(), await sessionMs(observer)];
  let left = calls;
  const lane = async () => {
    while (left-- > 0) {
      const start = performance.now();
      const { ok } = await helve.execute({ ...makeCall(left), principal: { user: 'admin' } });
      if (!ok) throw new Error('A call failed');
      durations.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  const { user, system } = process.cpuUsage(own);
  return {
    ms: median(durations),
    process: (user + system) / calls,
    server: (((await sessionMs(observer)) - sessions) * 1_000) / calls,
  };
}

/** Processor time of the sessions of this database, except the one that asks. */
async function sessionMs(observer) {
  const { rows } = await observer.query(
    'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  let ms = 0;
  for (const { pid } of rows) {
    const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ').slice(11, 13);
    ms += (Number(user) + Number(system)) * 10;
  }
  return ms;
}
