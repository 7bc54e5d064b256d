// Kills `helve backup`, `helve restore` and `helve move` at moments spread over their run, then runs each again: a
// backup is complete or does not have its name yet, and a restored or moved store is complete after the second run. Any
// other outcome is printed as BROKEN. node bench/drills/backup-kills.js [kills of each kind 12]
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { seal } from '../../dist/audit/index.js';
import { openStorage } from '../../dist/storage/index.js';

const kills = Number(process.argv[2] ?? 12);
const program = fileURLToPath(new URL('../../bin/helve.js', import.meta.url));
const root = mkdtempSync(join(process.env.HELVE_BENCH_DIR ?? tmpdir(), 'helve-drill-'));
const [rows, files] = [20_000, 200];
const outcomes = new Map();

const first = join(root, 'first');
await plant(first);
const good = join(root, 'good.backup');
const backupMs = timed(['backup', good, '--data', first]);
const restoreMs = timed(['restore', good, '--data', join(root, 'restored')]);

for (let kill = 0; kill < kills; kill++) {
  const folder = join(root, `backup-${kill}`);
  mkdirSync(folder);
  const file = join(folder, 'copy.backup');
  const end = await killed(['backup', file, '--data', first], spread(kill, backupMs));
  const isBad = existsSync(file) && run(['restore', file, '--data', join(folder, 'data')]).status !== 0;
  count(`backup ${end}: ${isBad ? 'BROKEN' : existsSync(file) ? 'whole' : 'no backup'}`);
}
for (let kill = 0; kill < kills; kill++) {
  const dataDir = join(root, `restore-${kill}`);
  const end = await killed(['restore', good, '--data', dataDir], spread(kill, restoreMs));
  const again = run(['restore', good, '--data', dataDir]);
  const found = existsSync(join(dataDir, 'files')) ? readdirSync(join(dataDir, 'files')).length : 0;
  const isWhole = isComplete(dataDir, join(dataDir, 'helve.db')) && found === files;
  count(`restore ${end}, then ${again.status === 0 ? 'done' : 'refused'}: ${isWhole ? 'whole' : 'BROKEN'}`);
}
for (let kill = 0; kill < kills; kill++) {
  const dataDir = join(root, `move-${kill}`);
  run(['restore', good, '--data', dataDir]);
  const move = ['move', '--to', join(dataDir, 'new.db'), '--data', dataDir];
  const end = await killed(move, spread(kill, restoreMs));
  const again = run(move);
  const isWhole = isComplete(dataDir, join(dataDir, 'new.db'));
  count(`move ${end}, then ${again.status === 0 ? 'done' : 'refused'}: ${isWhole ? 'whole' : 'BROKEN'}`);
}
console.table(Object.fromEntries([...outcomes].sort()));
rmSync(root, { recursive: true, force: true });
process.exitCode = [...outcomes.keys()].some((outcome) => outcome.includes('BROKEN')) ? 1 : 0;

async function plant(dataDir) {
  mkdirSync(join(dataDir, 'files'), { recursive: true });
  for (let file = 0; file < files; file++) writeFileSync(join(dataDir, 'files', `file-${file}`), 'x'.repeat(20_000));
  const storage = await openStorage({ location: join(dataDir, 'helve.db'), seal });
  const at = new Date().toISOString();
  await storage.system.createWorkspace({ id: 'w', slug: 'default', name: 'W', createdAt: at }, []);
  const event = { type: 'workspace.created', at, actor: { kind: 'user', id: 'u', name: 'Ada' }, body: {} };
  for (let done = 0; done < rows; done += 500)
    await storage.commit([{ workspaceId: 'w', events: Array.from({ length: 500 }, () => event) }]);
  await storage.close();
}

function isComplete(dataDir, location) {
  const { status, stdout } = run(['audit', 'verify', '--store', location, '--data', dataDir]);
  return status === 0 && stdout.startsWith(`${rows} rows`);
}

function run(args) {
  return spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' });
}

function timed(args) {
  const started = performance.now();
  const { status, stderr } = run(args);
  if (status !== 0) throw new Error(stderr);
  return performance.now() - started;
}

/** From the start of the program to a little after its usual end. */
function spread(kill, ms) {
  return 200 + (kill / kills) * ms;
}

function killed(args, ms) {
  return new Promise((done) => {
    const child = spawn(process.execPath, [program, ...args], { stdio: 'ignore' });
    const timer = setTimeout(() => child.kill('SIGKILL'), ms);
    child.once('exit', (_code, signal) => {
      clearTimeout(timer);
      done(signal === null ? 'ended' : 'killed');
    });
  });
}

function count(outcome) {
  outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
}
