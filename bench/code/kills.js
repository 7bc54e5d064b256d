/**
 * Kills the process of a program at each of its points, lets another process continue, and counts the effects at the
 * service: no effect twice, none lost, no wrong result. Each process first finishes the run that the last one left,
 * then begins the next one; every third kill falls into the take-over itself.
 *
 * node bench/code/kills.js [--kills 200] [--programs 40] [--lanes 1] [--store sqlite|postgres] [--control] [--waiting] [--sandbox]
 *
 * `--lanes`: how many stores at the same time, each with its own service and processes. `--control`: the service
 * forgets keys and finds nothing, so effects must be found twice. `--waiting`: programs that wait for approvals, answers and timers.
 * `--sandbox`: the process of the sandbox is killed, in which the program runs, and the run goes on in the same process of Helve.
 */
import { fork } from 'node:child_process';
import { parseArgs } from 'node:util';
import { createStore } from '../crash/store.js';
import { programs, waiting } from './kill-programs.js';
import { startService } from './kill-service.js';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    programs: { type: 'string', default: '40' },
    lanes: { type: 'string', default: '1' },
    store: { type: 'string', default: 'sqlite' },
    control: { type: 'boolean', default: false },
    waiting: { type: 'boolean', default: false },
    sandbox: { type: 'boolean', default: false },
  },
});
const kills = Number(values.kills);
const chosen = (values.waiting ? waiting : programs).slice(0, Number(values.programs));
// As bin/helve.js starts the command line.
const execArgv = ['--wasm-tiering-budget=2147483647'];
const child = new URL('kills-child.js', import.meta.url).pathname;

const failures = [];
const tally = { kills: 0, unstarted: 0, inTakeOver: 0, finished: 0, doubts: 0 };
const began = performance.now();
let next = 0;
const lanes = Array.from({ length: Number(values.lanes) }, campaign);
await Promise.all(lanes);

const seconds = Math.round((performance.now() - began) / 1_000);
process.stdout.write(`${JSON.stringify({ store: values.store, ...tally, failures: failures.length, seconds })}\n`);
for (const failure of failures.slice(0, 5)) process.stdout.write(`${JSON.stringify(failure).slice(0, 1_500)}\n`);
if (values.control ? failures.length === 0 : failures.length > 0) process.exitCode = 1;

/** One lane: a store, a service, and one process after another. */
async function campaign() {
  const store = await createStore(values.store);
  const service = await startService({ forgets: values.control });
  const lane = { location: store.location, counterpart: service.url };
  try {
    const expected = await runUndisturbed(lane);
    let left;
    while (tally.kills < kills) {
      const turn = next++;
      const code = chosen[turn % chosen.length];
      const { points } = expected.get(code);
      const killAt = 1 + ((turn * 7 + Math.floor(turn / chosen.length)) % points);
      const killsTakeOver = left !== undefined && turn % 3 === 2;
      const life = await live({
        ...lane,
        left: left?.id,
        ...(killsTakeOver ? { killTakeOverAt: killAt } : { code, killAt, killsSandbox: values.sandbox }),
      });
      if (values.sandbox && life.ended) {
        tally.kills += 1;
        judge({ id: life.runId, code, killAt, end: life.ended, ...expected.get(code), service });
      }
      tally.doubts += life.doubts ?? 0;
      if (life.resumed) judge({ ...left, end: life.resumed, ...expected.get(left.code), service });
      else if (left !== undefined && life.signal !== 'SIGKILL') failures.push({ ...left, what: 'not resumed', life });
      if (life.signal === 'SIGKILL') count(life, killsTakeOver);
      else if (life.code !== 0)
        failures.push({ code, killAt, what: 'ended otherwise', ...life, resumed: life.resumed?.status });
      if (life.resumed || !killsTakeOver)
        left = life.signal === 'SIGKILL' && life.runId ? { id: life.runId, code, killAt } : undefined;
    }
    if (left !== undefined) {
      const { resumed } = await live({ ...lane, left: left.id });
      judge({ ...left, end: resumed, ...expected.get(left.code), service });
    }
  } finally {
    service.close();
    await store.remove();
  }
}

function count({ runId }, isInTakeOver) {
  tally.kills += 1;
  if (isInTakeOver) tally.inTakeOver += 1;
  // It died before the run was in the store: nothing is left, and nothing may have happened.
  else if (runId === undefined) tally.unstarted += 1;
  if (process.stderr.isTTY) process.stderr.write(`\r${tally.kills}/${kills} kills, ${failures.length} failures`);
}

/** The answer of each program, its number of points, and its number of calls. One process runs them all. */
async function runUndisturbed(lane) {
  const { ends = [], errors } = await live({ ...lane, undisturbed: chosen });
  return new Map(
    chosen.map((code, at) => {
      const { end, points } = ends[at] ?? {};
      if (end?.status !== 'succeeded')
        throw new Error(`A program fails undisturbed: ${code}\n${JSON.stringify(end)} ${errors}`);
      return [code, { value: JSON.stringify(end.value), points, calls: end.calls.length }];
    }),
  );
}

function judge({ id, code, killAt, end, value, calls, service }) {
  const twice = service.countTwice(id);
  const lost = (end?.calls ?? []).filter(
    ({ tool, number, status }) => status === 'ok' && !/^(?:read|person)/.test(tool) && !service.hasDone(id, number),
  );
  const what = [
    end?.status !== 'succeeded' && `ended as ${end?.status}: ${JSON.stringify(end?.error)}`,
    end && JSON.stringify(end.value) !== value && `another result: ${JSON.stringify(end.value)}, not ${value}`,
    end && end.calls.length !== calls && 'other calls',
    twice > 0 && `${twice} effects twice`,
    lost.length > 0 && `${lost.length} effects lost`,
  ].filter(Boolean);
  if (what.length > 0) failures.push({ id, code, killAt, what });
  else tally.finished += 1;
}

/** Runs one process to its end. */
function live(task) {
  return new Promise((resolve) => {
    const told = {};
    const one = fork(child, [JSON.stringify(task)], { execArgv, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    let errors = '';
    one.stderr.on('data', (part) => {
      errors += part;
    });
    one.on('message', (message) => Object.assign(told, message));
    one.on('close', (code, signal) => resolve({ ...told, code, signal, errors }));
  });
}
