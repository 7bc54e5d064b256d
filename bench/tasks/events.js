// Events per second and CPU per event of the embedded actor host on SQLite, compared with the bare store that runs the same
// transactions: the bench records the statements of one pass of the host, and libsql alone repeats them on a copy of the same file.
// Half of the events send a message to another actor; these messages are the other half of the events. `bare` serialises the
// values again, as any user of a store must; `values at hand` reuses them; `one by one` commits each event on its own.
//   node bench/tasks/events.js [rounds] [events]
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { countingMachines, createHost, open, printRatios, workspaceId } from './machine.js';

const [rounds = 7, events = 2_000] = process.argv.slice(2).map(Number);
const actors = 100;
const folder = mkdtempSync(join(process.env.HELVE_BENCH_DIR ?? tmpdir(), 'helve-events-'));
const original = join(folder, 'original.db');
const address = (n) => ({ workspaceId, kind: 'issue', id: `i${n % actors}` });

await fill();
const statements = [];
await pass('noted', (location) => runHost(location, statements));
for (const statement of statements) statement.text = JSON.stringify(statement.values);
const atHand = new Map(statements.map(({ text, values }) => [text, values]));
const take = (text) => atHand.get(text);
const subjects = {
  host: (location) => runHost(location),
  bare: (location) => repeat(location, statements, JSON.parse),
  'values at hand': (location) => repeat(location, statements, take),
  'one by one': (location) => repeat(location, splitTransactions(statements), JSON.parse),
};
const seen = Object.fromEntries(Object.keys(subjects).map((name) => [name, { wall: [], cpu: [] }]));
for (let round = 0; round < rounds; round += 1) {
  for (const [name, work] of Object.entries(subjects)) {
    const { wall, cpu } = await pass(`${name}-${round}`, work);
    seen[name].wall.push(wall);
    seen[name].cpu.push(cpu);
  }
}
rmSync(folder, { recursive: true, force: true });
printRatios(seen, { events: 2 * events, bareName: 'bare store' });

/** A store in which all events wait for their turn. */
async function fill() {
  const storage = await open(original);
  const { actors: table } = storage.workspace(workspaceId);
  for (let n = 0; n < actors; n += 1) await table.insert(address(n), countingMachines().issue.initial({}));
  for (let n = 0; n < events; n += 1) {
    const { kind, id } = address(n + 1);
    await table.send({ to: address(n), id: `e${n}`, event: { type: 'GO', to: { kind, id } } });
  }
  await storage.close();
}

/** The time in milliseconds and the CPU in microseconds of one pass over a copy of the store. */
async function pass(name, work) {
  const location = join(folder, `${name}.db`);
  for (const suffix of ['', '-wal']) if (existsSync(original + suffix)) cpSync(original + suffix, location + suffix);
  const end = await work(location);
  for (const suffix of ['', '-wal', '-shm']) rmSync(location + suffix, { force: true });
  return end;
}

async function runHost(location, noted) {
  let left = 2 * events;
  // Statements that the store prepares while it opens are used again later.
  const stop = noted ? noteStatements(noted) : () => {};
  const storage = await open(location);
  noted?.splice(0);
  const machines = countingMachines(() => {
    left -= 1;
  });
  const { start, close } = createHost(storage, machines);
  const measured = clock();
  await start();
  while (left > 0) await new Promise((resolve) => setImmediate(resolve));
  // The last commit.
  await storage.system.actors.due({ limit: 1, work: [], running: [] });
  const end = measured();
  stop();
  await close();
  await storage.close();
  return end;
}

/** Notes what every connection executes, with its parameters. */
function noteStatements(noted) {
  const { prepare } = Database.prototype;
  Database.prototype.prepare = function prepareNoted(sql) {
    const statement = prepare.call(this, sql);
    const note = (how) => (values) => {
      noted.push({ sql, how, values });
      return statement[how](values);
    };
    return { reader: statement.reader, run: note('run'), all: note('all') };
  };
  return () => {
    Database.prototype.prepare = prepare;
  };
}

/** Gives each event its own transaction. */
function splitTransactions(all) {
  const isGuard = ({ sql }) => /^update actors set version/.test(sql);
  let count = 0;
  return all.flatMap((statement) => {
    if (/^begin/.test(statement.sql)) count = 0;
    if (!isGuard(statement) || count++ === 0) return [statement];
    return [{ sql: 'commit', how: 'run', text: '[]' }, { sql: 'begin immediate', how: 'run', text: '[]' }, statement];
  });
}

async function repeat(location, all, toValues) {
  const database = new Database(location);
  for (const pragma of ['journal_mode = wal', 'synchronous = full', 'foreign_keys = on'])
    database.exec(`pragma ${pragma}`);
  const prepared = new Map();
  const measured = clock();
  for (const { sql, how, text } of all) {
    if (!prepared.has(sql)) prepared.set(sql, database.prepare(sql));
    prepared.get(sql)[how](toValues(text));
  }
  const end = measured();
  const [{ done }] = database.prepare(`select count(*) as done from actor_inbox where status = 'applied'`).all([]);
  database.close();
  if (done !== 2 * events) throw new Error(`The bare store applied ${done} of ${2 * events} events`);
  return end;
}

function clock() {
  const [since, before] = [performance.now(), process.cpuUsage()];
  return () => {
    const { user, system } = process.cpuUsage(before);
    return { wall: performance.now() - since, cpu: user + system };
  };
}
