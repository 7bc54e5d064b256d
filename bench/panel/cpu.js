// How much the server's parts for the panel add to a call: CPU time of `calculate`, recorded, of this build beside an
// earlier one. node bench/panel/cpu.js <dist of a build without the panel> [groups] Each build runs in its own process,
// and every round measures all of them. New processes are started for each group of rounds, since two processes of
// the same build can differ by several percent; `before again` shows by how much. The last subject is this build while
// someone follows the live stream, as an open panel does. Budget of `now`: 1.03.
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { cpuPerCall } from '../support/cpu-per-call.js';
import { median } from '../support/median.js';

const calls = 6_400;
const lanes = 32;
const rounds = 8;
const [, , given, groups = '5'] = process.argv;
if (given === 'subject') await subject(process.argv[3], process.argv[4] === 'followed');
else await compare(given);

async function compare(before) {
  if (!before) throw new Error('Name the dist folder of a build without the panel.');
  const earlier = pathToFileURL(`${before}/`).href;
  const present = new URL('../../dist/', import.meta.url).href;
  const builds = {
    before: [earlier, 'alone'],
    'before again': [earlier, 'alone'],
    now: [present, 'alone'],
    'now, followed': [present, 'followed'],
  };
  const ratios = { 'before again': [], now: [], 'now, followed': [] };
  for (let group = 0; group < Number(groups); group++) {
    const subjects = await startAll(builds);
    for (let round = 0; round < rounds; round++) {
      const seen = await measure(subjects, round);
      for (const name of Object.keys(ratios)) ratios[name].push(seen[name] / seen.before);
    }
    for (const child of Object.values(subjects)) child.disconnect();
    for (const [name, values] of Object.entries(ratios))
      console.log(`group ${group + 1}: ${name} ${median(values.slice(-rounds)).toFixed(3)}`);
  }
  for (const [name, values] of Object.entries(ratios))
    console.log(`${name}: ${median(values).toFixed(3)} of the CPU before`);
}

async function startAll(builds) {
  const children = {};
  for (const [name, [dist, how]] of Object.entries(builds)) children[name] = await start(dist, how);
  return children;
}

/** One round of each. The order rotates: whichever process runs last has the machine at its warmest. */
async function measure(subjects, round) {
  const seen = {};
  const names = Object.keys(subjects);
  for (const at of names.keys()) {
    const name = names[(at + round) % names.length];
    seen[name] = await ask(subjects[name]);
  }
  return seen;
}

async function start(dist, how) {
  const child = fork(fileURLToPath(import.meta.url), ['subject', dist, how]);
  await new Promise((resolve) => child.once('message', resolve));
  return child;
}

function ask(child) {
  return new Promise((resolve) => {
    child.once('message', resolve);
    child.send('round');
  });
}

/** CPU microseconds of one call, again at each message. */
async function subject(dist, followed) {
  const { createHelve } = await import(new URL('helve.js', dist));
  const dataDir = mkdtempSync(join(tmpdir(), 'helve-panel-cpu-'));
  const helve = await createHelve({ dataDir, limits: { perPrincipal: null, perTool: null } });
  const { firstToken } = await helve.setUp();
  const principal = await helve.plane.authenticate(firstToken);
  const call = (expression) => helve.execute({ principal, tool: 'calculate', input: { expression } });
  const round = () => cpuPerCall(call, { calls, lanes });
  if (followed) {
    const { workspaceId } = await helve.ensureWorkspace('default');
    const { principal: admin } = await helve.plane.redeemAdminLink(await helve.adminLink(workspaceId));
    void drain(helve.plane.events(admin, {}, new AbortController().signal));
  }
  for (let warm = 0; warm < 3; warm++) await round();
  process.on('message', async () => process.send(await round()));
  process.on('disconnect', async () => {
    await helve.close();
    rmSync(dataDir, { recursive: true, force: true });
    process.exit(0);
  });
  process.send('ready');
}

async function drain(events) {
  for await (const _ of events);
}
