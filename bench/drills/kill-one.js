// One of four processes on one PostgreSQL behind a plain balancer is killed every ten seconds, and another one started, while
// clients write. Targets: no answered row is lost, nothing happens twice, nothing stays open, and of the calls that were not in the
// killed process 99.9 % are answered.
//   node bench/drills/kill-one.js [kills 6] [lanes 16] [seconds between 10]
import { openFleet, pause } from './fleet.js';

const [kills = '6', lanes = '16', seconds = '10'] = process.argv.slice(2);
const fleet = await openFleet();
try {
  const processes = [];
  for (let number = 0; number < 4; number++) processes.push(await fleet.start());
  const load = fleet.load(await fleet.token(processes[0]), Number(lanes));
  const atKill = [];
  for (let kill = 0; kill < Number(kills); kill++) {
    await pause(Number(seconds) * 1_000);
    const before = load.calls.cut.length;
    await fleet.kill(processes.shift());
    processes.push(await fleet.start());
    atKill.push(load.calls.cut.length - before);
  }
  await pause(3_000);
  const calls = await load.stop();
  const account = await fleet.account(calls);
  const others = calls.sent - calls.cut.length;
  console.log({
    sent: calls.sent,
    answered: calls.answered.length,
    'in a killed process': calls.cut.length,
    'of these at each kill': atKill.join(' '),
    refused: calls.refused.length,
    'first refusal': calls.refused[0],
    'others answered, %': ((calls.answered.length / others) * 100).toFixed(3),
    'slowest, ms': Math.round(calls.slowest),
    ...account,
  });
  const isFine = account.lost + account.twice + account.open === 0 && calls.answered.length / others >= 0.999;
  process.exitCode = isFine && !account.chain.startsWith('broken') ? 0 : 1;
} finally {
  await fleet.close();
}
process.exit();
