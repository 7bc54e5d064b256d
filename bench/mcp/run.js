// `calculate` over Streamable HTTP through Helve and through a bare MCP-SDK server, interleaved in one run,
// with 32 clients and with one; also the bare server with one durable insert per call, which is the unit
// for the cost of a record. The results are ratios, because absolute times on a shared machine mean little.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { median } from '../support/median.js';
import { connect, load } from './load.js';

const rounds = Number(process.argv[2] ?? 6);
const roundMs = Number(process.argv[3] ?? 2_000);
// Both sides are measured after they have warmed up, because servers run for days.
const warmUpMs = Number(process.argv[4] ?? 6_000);
const here = fileURLToPath(new URL('.', import.meta.url));

async function start(file, ...args) {
  const child = spawn(process.execPath, [join(here, file), ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout })) return { child, ...JSON.parse(line) };
  throw new Error(`${file} did not start`);
}

const pairs = [
  { name: '2025-11-25, sessions; control: SDK 1.x', revision: '2025-11-25', control: ['bare-server.js', 'v1'] },
  { name: '2025-11-25; control: SDK 2.x, stateless', revision: '2025-11-25', control: ['bare-server.js', 'v2'] },
  { name: '2026-07-28; control: SDK 2.x', revision: '2026-07-28', control: ['bare-server.js', 'v2'] },
];

const helve = await start('helve-server.js');
const results = [];
for (const { name, revision, control } of pairs) {
  const folder = mkdtempSync(join(process.env.HELVE_BENCH_DIR ?? tmpdir(), 'helve-bench-'));
  const [bare, paying] = [await start(...control), await start(...control, join(folder, 'insert.db'))];
  const clients = {
    helve: await connect(helve, revision),
    bare: await connect(bare, revision),
    paying: await connect(paying, revision),
  };
  for (const client of Object.values(clients)) {
    await load(client, 32, warmUpMs);
    await load(client, 1, warmUpMs / 2);
  }
  const many = { helve: [], bare: [] };
  const rate = { helve: [], bare: [] };
  const one = { helve: [], bare: [], paying: [] };
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 ? ['helve', 'paying', 'bare'] : ['bare', 'paying', 'helve'];
    for (const who of order) {
      one[who].push(median((await load(clients[who], 1, roundMs / 2)).latencies));
      if (who === 'paying') continue;
      const { latencies, throughput } = await load(clients[who], 32, roundMs);
      many[who].push(median(latencies));
      rate[who].push(throughput);
    }
    process.stderr.write(`\r${name}: round ${round + 1} of ${rounds} `);
  }
  process.stderr.write('\n');
  const ms = { helve: median(one.helve), bare: median(one.bare), paying: median(one.paying) };
  results.push({
    name,
    'p50 at 32 clients, ratio (≤ 1.5)': (median(many.helve) / median(many.bare)).toFixed(2),
    'throughput at 32, ratio (≥ 0.7)': (median(rate.helve) / median(rate.bare)).toFixed(2),
    'one client: durable inserts above bare (≤ 1.5)': ((ms.helve - ms.bare) / (ms.paying - ms.bare)).toFixed(2),
    'ms at one client: helve, bare, bare with an insert': Object.values(ms)
      .map((value) => value.toFixed(3))
      .join(', '),
    'calls/s at 32: helve, bare': `${median(rate.helve).toFixed(0)}, ${median(rate.bare).toFixed(0)}`,
  });
  await Promise.all(Object.values(clients).map((client) => client.close()));
  bare.child.kill();
  paying.child.kill();
  rmSync(folder, { recursive: true, force: true });
}
helve.child.kill();
rmSync(helve.data, { recursive: true, force: true });
for (const row of results) console.log(row);
