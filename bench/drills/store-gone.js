// PostgreSQL is killed under load and comes back after a minute, with two processes of `helve serve` on it. Targets: no answered row
// is lost, nothing happens twice, every call is answered or refused with the reason, and both processes serve again by themselves.
//   node bench/drills/store-gone.js [seconds 60] [lanes 8]
import { openFleet, pause } from './fleet.js';

const [seconds = '60', lanes = '8'] = process.argv.slice(2);
const fleet = await openFleet();
try {
  const processes = [await fleet.start(), await fleet.start()];
  const load = fleet.load(await fleet.token(processes[0]), Number(lanes));
  await pause(5_000);
  const goneAt = performance.now();
  const before = load.calls.answered.length;
  await fleet.postgres.pause();
  await pause(2_000);
  const ready = await Promise.all(processes.map(({ url }) => fetch(`${url}/ready`).then(({ status }) => status)));
  await pause(Number(seconds) * 1_000 - 2_000);
  const meanwhile = load.calls.answered.length;
  await fleet.postgres.resume();
  const backAt = performance.now();
  const again = [];
  for (const { url } of processes) {
    while ((await fetch(`${url}/ready`)).status !== 200) await pause(50);
    again.push(Math.round(performance.now() - backAt));
  }
  const servesAt = performance.now();
  await pause(10_000);
  const calls = await load.stop();
  const account = await fleet.account(calls);
  const failed = [...calls.refused, ...calls.cut];
  const outside = failed.filter(({ at }) => at < goneAt - 1_000 || at > servesAt);
  console.log({
    sent: calls.sent,
    'answered before, while it was gone, after': `${before}, ${meanwhile - before}, ${calls.answered.length - meanwhile}`,
    refused: calls.refused.length,
    'refused as': [...new Set(calls.refused.map(({ code }) => code))].join(' '),
    cut: calls.cut.length,
    'failed although the store was there': outside.length,
    'first of these': outside[0],
    '/ready while it was gone': ready.join(' '),
    '/ready again after, ms': again.join(' '),
    'slowest call, ms': Math.round(calls.slowest),
    ...account,
  });
  const isFine = account.lost + account.twice + account.open + outside.length + calls.cut.length === 0;
  process.exitCode = isFine && !account.chain.startsWith('broken') ? 0 : 1;
} finally {
  await fleet.close();
}
process.exit();
