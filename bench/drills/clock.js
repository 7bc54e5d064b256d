// The clock of one of two processes on one PostgreSQL is set back by an hour while clients write, and then that process is killed
// and started again with the late clock. Targets: no call fails, no answered row is lost, nothing happens twice.
//   node bench/drills/clock.js [lanes 8] [library /usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1]
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openFleet, pause } from './fleet.js';

const [lanes = '8', library = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1'] = process.argv.slice(2);
const fleet = await openFleet();
try {
  const file = join(fleet.folder, 'clock');
  writeFileSync(file, '+0');
  // Only the wall clock is different, as after a correction: time passes at the usual rate.
  const clock = {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_CACHE_DURATION: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  };
  const other = await fleet.start();
  const late = await fleet.start(undefined, clock);
  const load = fleet.load(await fleet.token(other), Number(lanes));
  await pause(5_000);
  const dateBefore = await dateOf(late);
  writeFileSync(file, '-3600');
  await pause(15_000);
  const dateAfter = await dateOf(late);
  const { length: before } = load.calls.answered;
  await fleet.kill(late);
  const again = await fleet.start(undefined, clock);
  await pause(15_000);
  const { length: after } = load.calls.answered;
  await dateOf(again);
  const calls = await load.stop();
  const account = await fleet.account(calls);
  const setBack = Math.round((dateBefore - dateAfter) / 60_000);
  console.log({
    'set back by, minutes': setBack,
    sent: calls.sent,
    answered: calls.answered.length,
    'answered after the restart': after - before,
    refused: calls.refused.length,
    'first refusal': calls.refused[0],
    'in the killed process': calls.cut.length,
    'slowest, ms': Math.round(calls.slowest),
    ...account,
  });
  const isFine = account.lost + account.twice + account.open + calls.refused.length === 0 && setBack > 55;
  process.exitCode = isFine && !account.chain.startsWith('broken') ? 0 : 1;
} finally {
  await fleet.close();
}
process.exit();

/** The wall clock of a process, as its answers say it. */
async function dateOf({ url }) {
  return Date.parse((await fetch(`${url}/health`)).headers.get('date'));
}
