// `calculate` over Streamable HTTP through Helve and through a bare MCP-SDK server, interleaved in one
// run, at 32 clients and at one; beside it one durable insert of the same store. Ratios are the result:
// absolute times on a shared machine are not facts.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import Database from 'libsql';
import { connect, load, median } from './load.js';

const rounds = Number(process.argv[2] ?? 6);
const roundMs = Number(process.argv[3] ?? 2_000);
// Both sides are compared as they run for days, not as they start.
const warmUpMs = Number(process.argv[4] ?? 6_000);
const here = fileURLToPath(new URL('.', import.meta.url));

async function start(file, ...args) {
  const child = spawn(process.execPath, [join(here, file), ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout })) return { child, ...JSON.parse(line) };
  throw new Error(`${file} did not start`);
}

/** The price that one call must pay at least: one row, durable, in the same kind of file on the same disk. */
function durableInserts(count) {
  const folder = mkdtempSync(join(process.env.HELVE_BENCH_DIR ?? tmpdir(), 'helve-bench-'));
  const database = new Database(join(folder, 'insert.db'));
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.exec('create table rows (id integer primary key, body text)');
  const insert = database.prepare('insert into rows (body) values (?)');
  const times = Array.from({ length: count }, () => {
    const began = performance.now();
    insert.run(['x'.repeat(400)]);
    return performance.now() - began;
  });
  database.close();
  rmSync(folder, { recursive: true });
  return median(times);
}

const pairs = [
  { name: '2025-11-25, sessions; control: SDK 1.x', revision: '2025-11-25', control: ['bare-server.js', 'v1'] },
  { name: '2025-11-25; control: SDK 2.x, stateless', revision: '2025-11-25', control: ['bare-server.js', 'v2'] },
  { name: '2026-07-28; control: SDK 2.x', revision: '2026-07-28', control: ['bare-server.js', 'v2'] },
];

const helve = await start('helve-server.js');
const results = [];
for (const { name, revision, control } of pairs) {
  const bare = await start(...control);
  const clients = { helve: await connect(helve, revision), bare: await connect(bare, revision) };
  for (const client of Object.values(clients)) {
    await load(client, 32, warmUpMs);
    await load(client, 1, warmUpMs / 2);
  }
  const seen = { helve: { one: [], many: [], rate: [] }, bare: { one: [], many: [], rate: [] }, insert: [] };
  for (let round = 0; round < rounds; round++) {
    for (const who of round % 2 ? ['helve', 'bare'] : ['bare', 'helve']) {
      const many = await load(clients[who], 32, roundMs);
      seen[who].many.push(median(many.latencies));
      seen[who].rate.push(many.throughput);
      seen[who].one.push(median((await load(clients[who], 1, roundMs / 2)).latencies));
    }
    seen.insert.push(durableInserts(300));
    process.stderr.write(`\r${name}: round ${round + 1} of ${rounds} `);
  }
  process.stderr.write('\n');
  const [one, bareOne, insert] = [median(seen.helve.one), median(seen.bare.one), median(seen.insert)];
  results.push({
    name,
    'p50 at 32 clients, ratio (≤ 1.5)': (median(seen.helve.many) / median(seen.bare.many)).toFixed(2),
    'throughput at 32, ratio (≥ 0.7)': (median(seen.helve.rate) / median(seen.bare.rate)).toFixed(2),
    'one client: durable inserts above bare (≤ 1.5)': ((one - bareOne) / insert).toFixed(2),
    'ms at one client (helve, bare), insert': `${one.toFixed(3)}, ${bareOne.toFixed(3)}, ${insert.toFixed(3)}`,
    'calls/s at 32 (helve, bare)': `${median(seen.helve.rate).toFixed(0)}, ${median(seen.bare.rate).toFixed(0)}`,
  });
  await Promise.all(Object.values(clients).map((client) => client.close()));
  bare.child.kill();
}
helve.child.kill();
rmSync(helve.data, { recursive: true, force: true });
for (const row of results) console.log(row);
