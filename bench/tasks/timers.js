// How late the timers of the embedded actor host fire: in an idle process, and after a restart, for timers that were due while no
// process ran (counted from the start of the new process). Timers fire one at a time, each for its own actor.
//   node bench/tasks/timers.js [timers] [store]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countingMachines, createHost, open, quantile, workspaceId } from './machine.js';

const count = Number(process.argv[2] ?? 300);
const folder = mkdtempSync(join(process.env.HELVE_BENCH_DIR ?? tmpdir(), 'helve-timers-'));
const storage = await open(process.argv[3] ?? join(folder, 'store.db'));
const late = [];
let since = 0;
const machines = countingMachines(({ due }) => late.push(Date.now() - Math.max(due, since)));
const address = (n) => ({ workspaceId, kind: 'issue', id: `i${n}` });

async function set({ host }, from, spreadMs) {
  for (let n = 0; n < count; n += 1) {
    const delayMs = from + Math.random() * spreadMs;
    await host.send(address(n), { type: 'RING', due: Date.now() + delayMs }, { id: `${from}-${n}`, delayMs });
  }
}
async function rung() {
  while (late.length < count) await new Promise((resolve) => setTimeout(resolve, 20));
  const all = late.splice(0);
  const [middle, p99, worst] = [0.5, 0.99, 1].map((share) => quantile(all, share));
  return `median ${middle} ms, p99 ${p99} ms, worst ${worst} ms`;
}

let driver = createHost(storage, machines, 'one');
await driver.start();
for (let n = 0; n < count; n += 1) await driver.host.start(address(n), {});
await set(driver, 2_000, 10_000);
console.log(`idle: ${await rung()}`);

await set(driver, 3_000, 1_000);
await driver.close();
await new Promise((resolve) => setTimeout(resolve, 5_000));
since = Date.now();
driver = createHost(storage, machines, 'two');
await driver.start();
console.log(`after a restart, ${count} at once: ${await rung()}`);
await driver.close();
await storage.close();
rmSync(folder, { recursive: true, force: true });
