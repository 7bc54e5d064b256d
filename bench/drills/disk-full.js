// The disk of a server on SQLite fills up while clients write, stays full, and has space again. Targets: no answered
// row is lost, nothing happens twice, calls meanwhile are refused with the reason, and it serves again by itself. Needs
// root, to mount a disk of 64 MB in memory. node bench/drills/disk-full.js [seconds 15] [lanes 8]
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { fillDisk } from '../support/fill-disk.js';
import { serve } from '../support/serve.js';
import { config, ownProgram, pause, readAccount, run, startLoad } from './fleet.js';

const [seconds = '15', lanes = '8'] = process.argv.slice(2);
const disk = mkdtempSync(join(tmpdir(), 'helve-disk-'));
execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', disk]);
let server;
try {
  const data = join(disk, 'data');
  const ballast = join(disk, 'ballast');
  mkdirSync(data);
  writeFileSync(join(data, 'helve.yaml'), config);
  server = await serve(data, { env: process.env });
  const made = await run(ownProgram, ['agents', 'token', 'writer', '--data', data, '--json'], process.env);
  const load = startLoad(server.url, JSON.parse(made).secret, Number(lanes));
  await pause(5_000);
  fillDisk(ballast);
  const fullAt = performance.now();
  const before = load.calls.answered.length;
  await pause(3_000);
  const health = (await fetch(`${server.url}/health`)).status;
  await pause(Number(seconds) * 1_000);
  const meanwhile = load.calls.answered.length;
  rmSync(ballast);
  const roomAt = performance.now();
  while ((await fetch(`${server.url}/health`)).status !== 200) await pause(50);
  const servesAfter = performance.now() - roomAt;
  await pause(12_000);
  const calls = await load.stop();
  const store = new Database(join(data, 'helve.db'));
  const query = async (text) => store.prepare(text).all();
  const account = await readAccount(query, calls, () =>
    run(ownProgram, ['audit', 'verify', '--store', join(data, 'helve.db')], process.env),
  );
  store.close();
  const outside = calls.refused.filter(({ at }) => at < fullAt - 1_000 || at > roomAt + servesAfter + 1_000);
  console.log({
    sent: calls.sent,
    'answered before, while it was full, after': `${before}, ${meanwhile - before}, ${calls.answered.length - meanwhile}`,
    refused: calls.refused.length,
    'refused as': [...new Set(calls.refused.map(({ code }) => code))].join(' '),
    cut: calls.cut.length,
    'refused although there was room': outside.length,
    '/health while it was full': health,
    '/health again after, ms': Math.round(servesAfter),
    ...account,
  });
  const isFine = account.lost + account.twice + account.open + outside.length + calls.cut.length === 0;
  process.exitCode = isFine && !account.chain.startsWith('broken') ? 0 : 1;
} finally {
  server?.kill('SIGKILL');
  // Its workers may still be ending.
  execFileSync('umount', ['--lazy', disk]);
  rmSync(disk, { recursive: true, force: true });
}
process.exit();
