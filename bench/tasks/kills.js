// Issues with the machines of tasks and scripted agents, each of which makes six effects on a counterpart in an attempt, while the
// processes that drive them are killed at random moments: on SQLite; with --postgres on a PostgreSQL server, which is killed too; with
// --restate on three nodes of Restate, one of which is killed instead of a process every other time. Each issue must have exactly the
// events and effects of its story, in order. With --control the counterpart ignores the keys of effects: then effects must be found twice.
//   node bench/tasks/kills.js [--control] [--postgres | --restate] [issues] [kills]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open, workspaceId } from './machine.js';

const root = new URL(process.env.HELVE_DIST ?? '../../dist/', import.meta.url);
const { machines } = await import(new URL('tasks/index.js', root));
const { freePort } = await import(new URL('testing/free-port.js', root));
const { killWhileIssuesAreDone } = await import(new URL('testing/issue-kills.js', root));

const words = process.argv.slice(2);
const has = (flag) => words.includes(flag);
const [issues = 500, kills = 200] = words.filter((word) => !word.startsWith('--'));
const folder = mkdtempSync(join(process.env.HELVE_BENCH_DIR ?? tmpdir(), 'helve-issues-'));
const endings = [];
const others = {};
const location = has('--postgres') ? await startPostgres() : join(folder, 'store.db');
const onRestate = has('--restate') ? JSON.stringify(await startNodes()) : '';
const storage = await open(location);
const { problems, ...report } = await killWhileIssuesAreDone({
  storage,
  workspaceId,
  machine: machines.issue,
  program: { folder: import.meta.dirname, parameters: ['kills-child.js', location, onRestate] },
  issues: Number(issues),
  kills: Number(kills),
  ignoreKeys: has('--control'),
  others,
});
await storage.close();
for (const end of endings) await end();
rmSync(folder, { recursive: true, force: true });
console.log({ issues, kills, ...report, problems: problems.length });
for (const problem of problems.slice(0, 20)) console.log(problem);
process.exitCode = problems.length > 0 ? 1 : 0;

async function startPostgres() {
  const { startPostgres: start } = await import(new URL('testing/postgres.js', root));
  const server = await start();
  endings.push(() => server.stop());
  others['PostgreSQL server'] = async () => {
    await server.pause();
    await server.resume();
  };
  return server.url();
}

/** Returns the facts that a process must know about them. */
async function startNodes() {
  const { startRestate } = await import(new URL('testing/restate.js', root));
  const { startBalancer } = await import(new URL('testing/balancer.js', root));
  const [restate, balancer] = [await startRestate(3), await startBalancer()];
  endings.push(
    () => balancer.close(),
    () => restate.stop(),
  );
  // One more than the number of processes that live at a time.
  const ports = [await freePort(), await freePort(), await freePort()];
  for (const port of ports) balancer.add(port);
  others['node of Restate'] = async () => {
    const node = Math.floor(Math.random() * restate.admin.length);
    await restate.pause(node);
    await restate.resume(node);
  };
  return { ingress: restate.ingress, admin: restate.admin, address: balancer.address, ports };
}
