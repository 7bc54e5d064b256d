// Two processes of an older Helve on one PostgreSQL are replaced one by one by a newer one, while clients write. Targets: no call
// fails, no answered row is lost, nothing happens twice, the chain is intact, and the older program can be started again.
//   node bench/drills/rolling.js [--lanes 16] [--answers 200] [--from <commit>] [--breaking] [--json]
// The newer one is a copy of this build with one more migration, which changes the busiest tables and takes a second. With --from
// the older one is a build of that commit, and the newer one is this build. With --breaking the added migration does not allow
// older programs: then the newer one must not start.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { latestVersion } from '../../dist/storage/migrations/index.js';
import { openFleet, pause } from './fleet.js';

const { values: options } = parseArgs({
  options: {
    lanes: { type: 'string', default: '16' },
    answers: { type: 'string', default: '200' },
    from: { type: 'string' },
    breaking: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
const root = fileURLToPath(new URL('../../', import.meta.url));
const ownProgram = join(root, 'bin/helve.js');
const fleet = await openFleet({ settings: { HELVE_DRAIN_SECONDS: '0' } });
try {
  const older = options.from === undefined ? ownProgram : buildCommit(options.from);
  const newer = options.from === undefined ? copyWithMigration(options.breaking) : ownProgram;
  const report = await replace(older, newer);
  console.log(options.json ? JSON.stringify(report) : report);
  process.exitCode = options.json || report.refused + report.cut + report.lost + report.twice === 0 ? 0 : 1;
} finally {
  await fleet.close();
}
process.exit();

async function replace(older, newer) {
  const old = [await fleet.start(older), await fleet.start(older)];
  const secret = await fleet.token(old[0]);
  const load = fleet.load(secret, Number(options.lanes));
  await answers(load);
  const refusal = await fleet.start(newer).then(
    () => undefined,
    (error) => error.message.trim(),
  );
  // Both builds serve.
  const afterMigration = load.calls.answered.length;
  await answers(load);
  if (refusal === undefined) {
    await fleet.stop(old[0]);
    await fleet.start(newer);
    await answers(load);
    // The way back: the older program starts on the store of the newer one. Releases before schema 33 cannot do that.
    if (options.from === undefined) await fleet.stop(await again(older, load));
    await fleet.stop(old[1]);
    await answers(load);
  }
  const calls = await load.stop();
  const account = await fleet.account(calls);
  return {
    refusal,
    sent: calls.sent,
    answered: calls.answered.length,
    whileBothServed: calls.answered.length - afterMigration,
    refused: calls.refused.length,
    cut: calls.cut.length,
    first: calls.refused[0] ?? calls.cut[0],
    slowestMs: Math.round(calls.slowest),
    ...account,
  };
}

async function again(older, load) {
  const one = await fleet.start(older);
  await answers(load);
  return one;
}

/** Waits until as many more calls were answered as `--answers` says, or many have failed. */
async function answers({ calls }) {
  const goal = calls.answered.length + Number(options.answers);
  while (calls.answered.length < goal && calls.refused.length + calls.cut.length < 50) await pause(20);
}

function copyWithMigration(breaking) {
  const copy = join(fleet.folder, 'newer');
  mkdirSync(copy);
  for (const name of ['dist', 'bin', 'package.json', 'weights'])
    cpSync(join(root, name), join(copy, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  // Joined modules would hide the change.
  rmSync(join(copy, 'dist/bundle'), { recursive: true });
  const list = join(copy, 'dist/storage/migrations/list.js');
  const reader = breaking ? '' : `oldestReader: ${latestVersion},`;
  const statements = [
    'alter table audit_events add column next_a text',
    "alter table workspaces add column next_b text not null default 'x'",
    'select pg_sleep(1)',
    'alter table key_values add column next_c integer not null default 0',
    'alter table credentials add column next_d text',
    'create index audit_events_next on audit_events (workspace_id, type)',
    'create table next_things (id text primary key)',
  ];
  const added = `{ version: 9001, name: 'next', ${reader} load: async () => ({ async up(db) {
    const { sql } = await import('kysely');
    for (const statement of ${JSON.stringify(statements)}) await sql.raw(statement).execute(db);
  } }) },`;
  const before = readFileSync(list, 'utf8');
  const after = before.replace(/\];\n\/\*\* The version of the schema/, `${added}\n];\n/** The version of the schema`);
  if (before === after) throw new Error('The list of migrations has changed its form: mend this drill');
  writeFileSync(list, after);
  return join(copy, 'bin/helve.js');
}

/** A build of a commit of this repository, with the packages of this one. */
function buildCommit(commit) {
  const copy = join(fleet.folder, 'older');
  mkdirSync(copy);
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 2 ** 30 });
  execFileSync('tar', ['x', '-C', copy], { input: archive });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  execFileSync(process.execPath, ['scripts/build.js', '--if-stale'], {
    cwd: copy,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return join(copy, 'bin/helve.js');
}
