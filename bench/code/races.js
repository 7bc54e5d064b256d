/**
 * Whole processes on one store that approve, decide, cancel, resume and start the same run at the same instant: each approval
 * is spent once, and each call is made once.
 *
 *   node bench/code/races.js [--rounds 2000] [--processes 4] [--store sqlite|postgres] [--at-once 6]
 */
import { fork } from 'node:child_process';
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import { createStore } from '../crash/store.js';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '2000' },
    processes: { type: 'string', default: '4' },
    store: { type: 'string', default: 'sqlite' },
    'at-once': { type: 'string', default: '6' },
  },
});
const rounds = Number(values.rounds);

/** The service: by name of a round, the keys of its requests, in order. A key is honoured by all but `doubtful`. */
const requests = new Map();
const server = createServer((request, response) => {
  let body = '';
  request.on('data', (part) => {
    body += part;
  });
  request.on('end', () => {
    const { name, key } = JSON.parse(body);
    const known = requests.get(name) ?? [];
    requests.set(name, [...known, key]);
    // It acts, and the first answer of this tool is lost.
    if (request.url === '/doubtful' && known.length === 0) response.destroy();
    else response.end(JSON.stringify({ name }));
  });
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const counterpart = `http://127.0.0.1:${server.address().port}`;
const effects = (name) => new Set(requests.get(name)).size;

const store = await createStore(values.store);
// As bin/helve.js starts the command line.
const execArgv = ['--wasm-tiering-budget=2147483647'];
const child = new URL('races-child.js', import.meta.url).pathname;
const processes = [];
// The first one alone sets the store up.
for (let at = 0; at < Number(values.processes); at++) processes.push(await startProcess());

const program = (tool, name) => `return await custom.${tool}({ name: ${JSON.stringify(name)} });`;

/** By kind: the race, which returns the problem, if there is one. */
const races = {
  async approve(name, first) {
    const { id, waits } = await first.ask('start', { code: program('approved', name) });
    const { approvalId } = waits[0];
    const outcomes = await all(() => ['approve', { approvalId }]);
    const end = await first.ask('settled', { id });
    const approval = await first.ask('approval', { approvalId });
    return (
      wrong({ approved: [won(outcomes), 1], status: [end.status, 'succeeded'], effects: [effects(name), 1] }) ??
      wrong({ approval: [approval.status, 'used'] })
    );
  },
  async decide(name, first) {
    const { id, waits } = await first.ask('start', { code: program('doubtful', name) });
    const { number } = waits[0];
    const outcomes = await all((at) => [
      'decide',
      {
        id,
        decision: at % 2 ? { decision: 'not_happened', number } : { decision: 'happened', number, output: { name } },
      },
    ]);
    const end = await first.ask('settled', { id });
    const winner = outcomes.findIndex(({ error }) => !error);
    // If a person decides that a call did not happen, it is made again: that is correct.
    return wrong({
      decided: [won(outcomes), 1],
      status: [end.status, 'succeeded'],
      requests: [requests.get(name).length, winner % 2 ? 2 : 1],
    });
  },
  async cancel(name, first) {
    const { id, waits } = await first.ask('start', { code: program('approved', name) });
    const { approvalId } = waits[0];
    const outcomes = await all((at) => (at % 2 ? ['cancel', { id }] : ['approve', { approvalId }]));
    const end = await first.ask('settled', { id });
    const cancelled = won(outcomes.filter((_, at) => at % 2));
    if (end.status === 'cancelled')
      return wrong({ cancelled: [cancelled, 1], 'more effects': [effects(name) > 1, false] });
    return wrong({ cancelled: [cancelled, 0], status: [end.status, 'succeeded'], effects: [effects(name), 1] });
  },
  async resume(name, first) {
    const code = `await sleep(2_100); ${program('plain', name)}`;
    const { id } = await first.ask('start', { code });
    const end = await first.ask('settled', { id });
    return wrong({ status: [end.status, 'succeeded'], calls: [end.calls.length, 1], effects: [effects(name), 1] });
  },
  async plan(name, first) {
    const code = program('plain', name);
    const { id } = await first.ask('start', { code, mode: 'plan' });
    const decided = await all(() => ['decide', { id, decision: { decision: 'approve_plan' } }]);
    const started = await all(() => ['start', { code, plan: id }]);
    return wrong({ decided: [won(decided), 1], started: [won(started), 1], effects: [effects(name), 1] });
  },
  async start(name) {
    const started = await all(() => ['start', { code: program('plain', name), idempotencyKey: name }]);
    const ids = new Set(started.map(({ value }) => value?.id));
    return wrong({ started: [won(started), processes.length], runs: [ids.size, 1], effects: [effects(name), 1] });
  },
};

const kinds = Object.keys(races);
const failures = [];
const tally = Object.fromEntries(kinds.map((kind) => [kind, 0]));
const began = performance.now();
let next = 0;
try {
  await processes[0].ask('policies');
  await Promise.all(Array.from({ length: Number(values['at-once']) }, runRounds));
} finally {
  for (const one of processes) one.kill();
  server.close();
  await store.remove();
}
const seconds = Math.round((performance.now() - began) / 1_000);
const report = { store: values.store, processes: processes.length, ...tally, failures: failures.length, seconds };
process.stdout.write(`${JSON.stringify(report)}\n`);
for (const failure of failures.slice(0, 5)) process.stdout.write(`${JSON.stringify(failure).slice(0, 1_500)}\n`);
if (failures.length > 0) process.exitCode = 1;

async function runRounds() {
  while (next < rounds) {
    const round = next++;
    const kind = kinds[round % kinds.length];
    const what = await races[kind](`${kind} ${round}`, processes[round % processes.length]).catch(
      (error) => error.stack,
    );
    tally[kind] += 1;
    if (what !== undefined) failures.push({ round, kind, what });
    if (process.stderr.isTTY) process.stderr.write(`\r${next}/${rounds} rounds, ${failures.length} failures`);
  }
}

/** The orders for all processes at the same instant, and their results. */
function all(choose) {
  const at = Date.now() + 10;
  return Promise.all(processes.map((one, index) => one.send(...choose(index), at)));
}

function won(outcomes) {
  return outcomes.filter(({ error }) => !error).length;
}

/** The differences from the expected state, as `[seen, wanted]`. */
function wrong(facts) {
  const found = Object.entries(facts).filter(([, [seen, wanted]]) => seen !== wanted);
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

function startProcess() {
  return new Promise((resolve, reject) => {
    const one = fork(child, [store.location, counterpart], {
      execArgv,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const tasks = new Map();
    const send = (act, given, at = 0) =>
      new Promise((done) => {
        const task = tasks.size + 1;
        tasks.set(task, done);
        one.send({ task, act, given, at });
      });
    const ask = async (act, given) => {
      const { value, error } = await send(act, given);
      if (error) throw new Error(`${act}: ${error.code}: ${error.message}`);
      return value;
    };
    one.on('message', ({ ready, task, ...outcome }) =>
      ready ? resolve({ ask, send, kill: () => one.kill('SIGKILL') }) : tasks.get(task)(outcome),
    );
    one.on('exit', () => reject(new Error('A process of the races ended')));
  });
}
