// A backup while clients write, restored into another data folder after the server was killed. Reports how many answered
// calls are lost (target: 0), whether an effect happened twice (0), how many calls were answered (99.9 %), and what the
// backup costs the others. The control is a plain copy of the database file, made at the same moment.
//   node bench/drills/backup.js [lanes 16] [rows before 20000] [postgres URL of an empty database, and of a second one]
import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'libsql';
import { serve } from '../support/serve.js';

const [lanes = '16', rows = '20000', sourceUrl = '', targetUrl = ''] = process.argv.slice(2);
const program = fileURLToPath(new URL('../../bin/helve.js', import.meta.url));
const folder = mkdtempSync(join(process.env.HELVE_BENCH_DIR ?? tmpdir(), 'helve-drill-'));
const [first, second] = [join(folder, 'first'), join(folder, 'second')];
const config =
  'limits: { per_ip: null, per_credential: null, per_principal: null, per_tool: null }\nagents:\n  - name: writer\n    tools: [key_value_set, key_value_get]\n';
mkdirSync(first);
writeFileSync(join(first, 'helve.yaml'), config);

const source = await serveOn(first, sourceUrl);
const { secret } = JSON.parse(await run(['agents', 'token', 'writer', '--data', first, '--json']));
const calls = { sent: 0, answered: [], failed: 0 };
let phase = [];
let writing = true;
const writers = Array.from({ length: Number(lanes) }, (_, lane) => writeOn(lane));
// Two rows of the record are one call.
while (calls.answered.length * 2 < Number(rows)) await pause(100);

const quiet = await measure(() => pause(3_000));
const before = [...calls.answered];
const plain = join(folder, 'plain.db');
if (sourceUrl === '') copyFileSync(join(first, 'helve.db'), plain);
const file = join(folder, 'drill.backup');
const busy = await measure(() => run(['backup', file, '--data', first], sourceUrl));
writing = false;
await Promise.all(writers);
source.kill('SIGKILL');
await new Promise((done) => source.once('exit', done));

const restoring = performance.now();
await run(['restore', file, '--data', second], targetUrl);
const restoreMs = performance.now() - restoring;
const verified = await run(['audit', 'verify', '--store', targetUrl || join(second, 'helve.db')]);
const copy = await serveOn(second, targetUrl);
const starts = await countStarts();
copy.kill('SIGKILL');
const lost = before.filter((key) => !starts.has(key)).length;
const twice = [...starts.values()].filter((count) => count > 1).length;
console.table({
  'answered before the backup': before.length,
  'of these lost in the restored store': lost,
  'done twice': twice,
  'lost by a plain copy of the file': sourceUrl === '' ? before.length - countPlain(before) : 'no file',
  'answered, %': ((calls.answered.length / calls.sent) * 100).toFixed(3),
  'calls per second without, with backup': `${quiet.rate.toFixed(0)}, ${busy.rate.toFixed(0)}`,
  'p99 without, with backup, ms': `${quiet.p99.toFixed(1)}, ${busy.p99.toFixed(1)}`,
  'backup, restore, s': `${(busy.ms / 1_000).toFixed(1)}, ${(restoreMs / 1_000).toFixed(1)}`,
  'size, MB': (statSync(file).size / 1_048_576).toFixed(1),
  record: verified.trim().split('\n').at(-1).slice(0, 60),
});
rmSync(folder, { recursive: true, force: true });
process.exitCode = lost + twice > 0 ? 1 : 0;

async function writeOn(lane) {
  for (let number = 0; writing; number++) {
    const key = `key-${lane}-${number}`;
    calls.sent += 1;
    const sent = performance.now();
    const answer = await call(source.url, 'key_value_set', { key, value: key }).catch(() => undefined);
    phase.push(performance.now() - sent);
    if (answer?.ok) calls.answered.push(key);
    else calls.failed += 1;
  }
}

async function call(url, tool, input) {
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ tool, input });
  return (await fetch(new URL('/api/tools/execute', url), { method: 'POST', headers, body })).json();
}

/** How many calls for each key the record says were started. */
async function countStarts() {
  const counts = new Map();
  const lines = await run(['audit', 'export', '--types', 'execution.started', '--data', second], targetUrl);
  for (const line of lines.split('\n')) {
    const key = /"key-\d+-\d+"/.exec(line)?.[0].slice(1, -1);
    if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

function countPlain(keys) {
  try {
    const database = new Database(plain);
    const there = new Set(
      database
        .prepare('select key from key_values')
        .all()
        .map(({ key }) => key),
    );
    return keys.filter((key) => there.has(key)).length;
  } catch {
    return 0;
  }
}

async function measure(work) {
  phase = [];
  const started = performance.now();
  await work();
  const ms = performance.now() - started;
  const sorted = [...phase].sort((a, b) => a - b);
  return { ms, rate: (sorted.length / ms) * 1_000, p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0 };
}

function environment(database) {
  return { ...process.env, ...(database === '' ? {} : { HELVE_DATABASE_URL: database }) };
}

function run(args, database = '') {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...args], { env: environment(database) });
    let [out, problems] = ['', ''];
    child.stdout.on('data', (chunk) => (out += chunk));
    child.stderr.on('data', (chunk) => (problems += chunk));
    child.once('close', (code) => (code === 0 ? resolve(out) : reject(new Error(`${args[0]}: ${problems}`))));
  });
}

function serveOn(dataDir, database) {
  return serve(dataDir, { env: environment(database) });
}

function pause(ms) {
  return new Promise((resume) => setTimeout(resume, ms));
}
