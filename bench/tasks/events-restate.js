// Events per second and CPU per event of the actor host on Restate, compared with a bare virtual object of the same Restate that
// keeps the same state and sends the same messages. Half of the events send a message to another actor; these messages are the other
// half of the events. Each subject is measured from the first event that is sent to the last that is applied; the CPU is that of
// this process and of the server together. `acceptance alone` is what the host's store needs to accept the events that are sent.
//   node bench/tasks/events-restate.js [rounds] [events]
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as sdk from '@restatedev/restate-sdk/node';
import { countingMachines, createHostOnRestate, open, printRatios, workspaceId } from './machine.js';

const root = new URL(process.env.HELVE_DIST ?? '../../dist/', import.meta.url);
const { createIngress } = await import(new URL('actors/restate/ingress.js', root));
const { startRestate } = await import(new URL('testing/restate.js', root));

const [rounds = 5, events = 2_000] = process.argv.slice(2).map(Number);
const actors = 100;
const atOnce = 64;
const ticksPerSecond = 100;
const folder = mkdtempSync(join(process.env.HELVE_BENCH_DIR ?? tmpdir(), 'helve-events-'));
const restate = await startRestate();
const nodes = { ingress: restate.ingress.map((url) => ({ url })), admin: restate.admin.map((url) => ({ url })) };
const ingress = createIngress({ nodes: () => nodes, services: [] });
const server = findServer();
const idOf = (n) => `i${n % actors}`;
const subjects = { bare: runBare, host: runHost, 'acceptance alone': runAcceptance };
const seen = Object.fromEntries(Object.keys(subjects).map((name) => [name, { wall: [], cpu: [] }]));
for (let round = 0; round <= rounds; round += 1) {
  for (const [name, run] of Object.entries(subjects)) {
    const { wall, cpu } = await run(`r${round}`);
    // The first round warms up.
    if (round === 0) continue;
    seen[name].wall.push(wall);
    seen[name].cpu.push(cpu);
  }
}
await ingress.close();
await restate.stop();
rmSync(folder, { recursive: true, force: true });
printRatios(seen, { events: 2 * events, bareName: 'bare object' });

async function runBare(round) {
  const service = `bare_${round}`;
  const counter = countDown();
  const { issue } = countingMachines(counter.onEvent);
  async function event(ctx, sent) {
    const [after, effects] = issue.transition((await ctx.get('state')) ?? issue.initial({}), sent);
    ctx.set('state', after);
    for (const { to, event: parameter } of effects)
      ctx.genericSend({ service, method: 'event', key: to.id, parameter, inputSerde: sdk.serde.json });
  }
  const options = { journalRetention: 0 };
  const services = [sdk.object({ name: service, handlers: { event }, options })];
  const endpoint = createServer(sdk.createEndpointHandler({ services, logger: () => {} }));
  const sessions = new Set();
  endpoint.on('session', (session) => sessions.add(session));
  await new Promise((resolve) => endpoint.listen(0, '127.0.0.1', resolve));
  await ingress.register(`http://127.0.0.1:${endpoint.address().port}`);
  const measured = clock();
  await sendAll((n, body) => ingress.ask({ service, key: idOf(n), method: 'event', body }));
  await counter.done;
  const end = measured();
  for (const session of sessions) session.destroy();
  endpoint.close();
  return end;
}

async function runHost(round) {
  const storage = await open(join(folder, `${round}.db`));
  await fill(storage);
  const counter = countDown();
  const machines = countingMachines(counter.onEvent);
  const { ingress: urls, admin } = restate;
  const { host, start, close } = await createHostOnRestate(storage, machines, {
    ingress: urls,
    admin,
    listen: { host: '127.0.0.1', port: 0 },
    name: `host_${round}`,
  });
  await start();
  const measured = clock();
  await sendAll((n, event) => host.send({ workspaceId, kind: 'issue', id: idOf(n) }, event, { id: `e${n}` }));
  await counter.done;
  // The last commit.
  while ((await storage.system.actors.unfinished(1)).events.length > 0)
    await new Promise((resolve) => setImmediate(resolve));
  const end = measured();
  await close();
  await storage.close();
  return end;
}

async function runAcceptance(round) {
  const storage = await open(join(folder, `${round}-accepted.db`));
  await fill(storage);
  const { actors: table } = storage.workspace(workspaceId);
  const measured = clock();
  await sendAll((n, event) => table.send({ to: { kind: 'issue', id: idOf(n) }, id: `e${n}`, event }));
  const end = measured();
  await storage.close();
  return end;
}

async function fill(storage) {
  const { actors: table } = storage.workspace(workspaceId);
  for (let n = 0; n < actors; n += 1)
    await table.insert({ kind: 'issue', id: idOf(n) }, countingMachines().issue.initial({}));
}

function countDown() {
  let left = 2 * events;
  let resolve;
  const done = new Promise((resolved) => {
    resolve = resolved;
  });
  return {
    done,
    onEvent() {
      left -= 1;
      if (left === 0) resolve();
    },
  };
}

async function sendAll(send) {
  let next = 0;
  const one = async () => {
    while (next < events) {
      const n = next++;
      await send(n, { type: 'GO', to: { kind: 'issue', id: idOf(n + 1) } });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, one));
}

/** The process of the server, which is a child of this one. */
function findServer() {
  const stat = (pid) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').pop().split(' ');
  const pid = readdirSync('/proc').find((name) => {
    try {
      return /^\d+$/.test(name) && Number(stat(name)[1]) === process.pid;
    } catch {
      return false;
    }
  });
  return {
    /** In microseconds. */
    cpu() {
      const [user, system] = stat(pid).slice(11, 13).map(Number);
      return ((user + system) * 1e6) / ticksPerSecond;
    },
  };
}

function clock() {
  const [since, before, ofServer] = [performance.now(), process.cpuUsage(), server.cpu()];
  return () => {
    const { user, system } = process.cpuUsage(before);
    return { wall: performance.now() - since, cpu: user + system + server.cpu() - ofServer };
  };
}
