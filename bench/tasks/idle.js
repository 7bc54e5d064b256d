// The cost of many idle actors: how long a process takes until it drives them, and its memory, each compared with a
// process on an empty store, and the statements and the time of a page of a list. Each process is measured alone, in
// turns. node bench/tasks/idle.js [actors] [rounds]
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { countingMachines, createHost, median, open, workspaceId } from './machine.js';

const [first, second] = process.argv.slice(2);
if (first === 'measure') await measureProcess(second);
else await compare(Number(first ?? 100_000), Number(second ?? 5));

async function compare(actors, rounds) {
  const folder = mkdtempSync(join(process.env.HELVE_BENCH_DIR ?? tmpdir(), 'helve-idle-'));
  const stores = { few: join(folder, 'few.db'), many: join(folder, 'many.db') };
  await fill(stores.few, 1);
  await fill(stores.many, actors);
  const seen = { few: [], many: [] };
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, location] of Object.entries(stores)) {
      const child = spawnSync(process.execPath, ['--expose-gc', import.meta.filename, 'measure', location], {
        encoding: 'utf8',
      });
      if (child.status !== 0) throw new Error(child.stderr);
      seen[name].push(JSON.parse(child.stdout));
    }
  }
  rmSync(folder, { recursive: true, force: true });
  for (const [name, all] of Object.entries(seen)) {
    const of = (key) => median(all.map((one) => one[key]));
    console.log(
      `${name}: start ${of('startMs').toFixed(0)} ms, memory ${(of('memory') / 1e6).toFixed(1)} MB; ` +
        `a page of 50: ${of('statements')} statements, ${of('pageMs').toFixed(1)} ms; of one state: ${of('stateMs').toFixed(1)} ms; ` +
        `idle: ${(of('idleCpu') * 100).toFixed(2)} % of a core`,
    );
  }
}

/** Each actor has a timer in an hour, and every hundredth waits in another state. */
async function fill(location, actors) {
  const storage = await open(location);
  await storage.close();
  const database = new Database(location);
  const snapshot = JSON.stringify(countingMachines().issue.initial({}));
  const at = new Date().toISOString();
  const due = new Date(Date.now() + 3_600_000).toISOString();
  const actor =
    database.prepare(`insert into actors (workspace_id, kind, id, version, handled, state, status, snapshot, created_at,
    updated_at) values ('${workspaceId}', 'issue', ?, 3, 3, ?, 'active', ?, ?, ?)`);
  const timer = database.prepare(`insert into actor_inbox (workspace_id, actor, event_id, event, due_at, timer, status)
    values ('${workspaceId}', ?, 't', '{"type":"RING"}', ?, 't', 'waiting')`);
  database.exec('begin');
  for (let n = 1; n <= actors; n += 1) {
    actor.run([`i${n}`, n % 100 === 0 ? 'blocked' : 'idle', snapshot, at, at]);
    timer.run([n, due]);
  }
  database.exec('commit');
  database.close();
}

async function measureProcess(location) {
  const storage = await open(location);
  globalThis.gc();
  const before = process.memoryUsage().rss;
  const since = performance.now();
  const { host, start, close } = createHost(storage, countingMachines());
  await start();
  // It drives: an event that was sent after the start has been applied.
  const actor = { workspaceId, kind: 'issue', id: 'i1' };
  await host.send(actor, { type: 'GO' }, { id: 'go' });
  while ((await host.read(actor)).version < 4) await new Promise((resolve) => setImmediate(resolve));
  const startMs = performance.now() - since;
  const time = async (query) => {
    const from = performance.now();
    await host.list({ workspaceId, ...query });
    return performance.now() - from;
  };
  await time({});
  let statements = 0;
  const { prepare } = Database.prototype;
  Database.prototype.prepare = function counted(...parameters) {
    statements += 1;
    return prepare.apply(this, parameters);
  };
  // A query of another form, so that no prepared statement is used again.
  await host.list({ workspaceId, kind: 'issue', limit: 50 });
  Database.prototype.prepare = prepare;
  const pageMs = await time({ limit: 50 });
  const stateMs = await time({ state: 'blocked', limit: 50 });
  globalThis.gc();
  const memory = process.memoryUsage().rss - before;
  const [cpu, wall] = [process.cpuUsage(), performance.now()];
  await new Promise((resolve) => setTimeout(resolve, 5_000));
  const { user, system } = process.cpuUsage(cpu);
  const idleCpu = (user + system) / 1_000 / (performance.now() - wall);
  await close();
  await storage.close();
  console.log(JSON.stringify({ startMs, memory, statements, pageMs, stateMs, idleCpu }));
}
