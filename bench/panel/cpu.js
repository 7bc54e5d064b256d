// What the panel's seats in the server cost a call: CPU time of `calculate`, recorded, of this build beside an earlier one.
//   node bench/panel/cpu.js <dist of a build without the panel> [rounds]
// Each build runs in a process of its own; their rounds alternate. The third subject is this build while somebody follows
// the live stream, as an open panel does. Budget: 3 % more than the build without the panel.
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const calls = 6_400;
const lanes = 32;
const [, , given, rounds = '15'] = process.argv;
if (given === 'subject') await subject(process.argv[3], process.argv[4] === 'followed');
else await compare(given);

async function compare(before) {
  if (!before) throw new Error('Name the dist folder of a build without the panel.');
  const present = fileURLToPath(new URL('../../dist/', import.meta.url));
  const subjects = {
    before: await start(pathToFileURL(`${before}/`).href, 'alone'),
    now: await start(pathToFileURL(present).href, 'alone'),
    'now, followed': await start(pathToFileURL(present).href, 'followed'),
  };
  const ratios = { now: [], 'now, followed': [] };
  for (let round = 0; round < Number(rounds); round++) {
    const seen = {};
    for (const [name, child] of Object.entries(subjects)) seen[name] = await ask(child);
    for (const name of Object.keys(ratios)) ratios[name].push(seen[name] / seen.before);
    console.log(
      Object.entries(seen)
        .map(([name, value]) => `${name} ${value.toFixed(1)} µs`)
        .join(', '),
    );
  }
  for (const child of Object.values(subjects)) child.disconnect();
  for (const [name, values] of Object.entries(ratios)) {
    const sorted = values.sort((one, other) => one - other);
    console.log(`${name}: ${sorted[Math.floor(sorted.length / 2)].toFixed(3)} of the CPU before (budget 1.03)`);
  }
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
  const round = async () => {
    const before = process.cpuUsage();
    for (let done = 0; done < calls; done += lanes)
      await Promise.all(
        Array.from({ length: lanes }, (_, lane) =>
          helve.execute({ principal, tool: 'calculate', input: { expression: `${done + lane} + 1` } }),
        ),
      );
    const { user, system } = process.cpuUsage(before);
    return (user + system) / calls;
  };
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
