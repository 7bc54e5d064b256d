/**
 * Kills the process of a program at each of its points, lets another process go on, and counts at the service what happened:
 * no effect twice, none lost, no wrong result.
 *
 *   node bench/code/kills.js [--kills 200] [--programs 40] [--store sqlite|postgres] [--control]
 *
 * `--control`: tools with a key or a probe forget both, so effects must be found twice.
 */
import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { programs } from './kill-programs.js';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    programs: { type: 'string', default: '40' },
    store: { type: 'string', default: 'sqlite' },
    control: { type: 'boolean', default: false },
  },
});
const kills = Number(values.kills);
const child = new URL('kills-child.js', import.meta.url).pathname;

/** The service: what was done, by key, and how often. */
const done = new Map();
const counts = new Map();
const answerOf = (name) => ({ name, size: name.length });

function act({ kind, name, key }) {
  const isKnown = kind === 'key' && !values.control && done.has(key);
  if (!isKnown && !(kind === 'repeatable' && done.has(key))) counts.set(key, (counts.get(key) ?? 0) + 1);
  done.set(key, answerOf(name));
  return answerOf(name);
}

const keyOf = (runId, number) => createHash('sha256').update(`${runId}/${number}`).digest('hex').slice(0, 32);

const routes = {
  '/read': ({ name }) => answerOf(name),
  '/act': act,
  '/probe': ({ key }) => (values.control ? {} : { found: done.get(key) }),
  '/look': ({ runId, number }) => ({ found: done.get(keyOf(runId, number)) }),
};

const server = createServer((request, response) => {
  let body = '';
  request.on('data', (part) => {
    body += part;
  });
  request.on('end', () => response.end(JSON.stringify(routes[request.url](JSON.parse(body)))));
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const counterpart = `http://127.0.0.1:${server.address().port}`;

/** Runs one process to its end. */
function live(task) {
  return new Promise((resolve) => {
    const told = { runId: task.runId };
    const one = fork(child, [JSON.stringify({ ...task, counterpart })], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    let errors = '';
    one.stderr.on('data', (part) => {
      errors += part;
    });
    one.on('message', (message) => Object.assign(told, message));
    one.on('exit', (code, signal) => resolve({ ...told, code, signal, errors }));
  });
}

const { location, remove } = await place(values.store);
const failures = [];
const tally = { kills: 0, finished: 0, inDoubt: 0, resumed: 0 };
const began = performance.now();
const chosen = programs.slice(0, Number(values.programs));
const expected = new Map();
try {
  for (const code of chosen) {
    const whole = await live({ location, code });
    if (whole.end?.status !== 'succeeded')
      throw new Error(`A program fails undisturbed: ${code}\n${JSON.stringify(whole)}`);
    expected.set(code, { value: JSON.stringify(whole.end.value), points: whole.points, calls: whole.end.calls.length });
    done.clear();
    counts.clear();
  }
  for (let turn = 0; tally.kills < kills; turn++) {
    const code = chosen[turn % chosen.length];
    const { points, value, calls } = expected.get(code);
    const killAt = 1 + ((turn * 7 + Math.floor(turn / chosen.length)) % points);
    const first = await live({ location, code, killAt });
    if (first.signal !== 'SIGKILL') {
      if (first.runId && first.end?.status !== 'succeeded')
        failures.push({ code, killAt, what: 'ended otherwise', first });
      continue;
    }
    tally.kills += 1;
    // It died before the run was in the store.
    if (first.runId === undefined) continue;
    const next = await live({ location, runId: first.runId });
    tally.resumed += 1;
    const twice = [...counts].filter(([, count]) => count > 1);
    const what = [
      next.end?.status !== 'succeeded' &&
        `ended as ${next.end?.status}: ${JSON.stringify(next.end?.error)} ${next.errors}`,
      next.end && JSON.stringify(next.end.value) !== value && 'another result',
      next.end && next.end.calls.length !== calls && 'other calls',
      twice.length > 0 && `${twice.length} effects twice`,
      next.end && lost(next.end).length > 0 && 'effects lost',
    ].filter(Boolean);
    if (what.length > 0) failures.push({ code, killAt, what });
    else tally.finished += 1;
    done.clear();
    counts.clear();
    if (process.stderr.isTTY) process.stderr.write(`\r${tally.kills}/${kills} kills, ${failures.length} failures`);
  }
} finally {
  server.close();
  await remove();
}

/** Calls with effects that the run has an answer of and the service does not know. */
function lost({ id, calls }) {
  return calls.filter(
    ({ tool, number, status }) => status === 'ok' && !tool.startsWith('read') && !done.has(keyOf(id, number)),
  );
}

async function place(store) {
  if (store === 'sqlite') {
    const folder = mkdtempSync(join(tmpdir(), 'helve-kills-'));
    return { location: join(folder, 'store.db'), remove: async () => rmSync(folder, { recursive: true }) };
  }
  const { createStore } = await import('../crash/store.js');
  const made = await createStore('postgres');
  return { location: made.database, remove: () => made.remove() };
}

const seconds = Math.round((performance.now() - began) / 1_000);
process.stdout.write(`${JSON.stringify({ store: values.store, ...tally, failures: failures.length, seconds })}\n`);
for (const failure of failures.slice(0, 5)) process.stdout.write(`${JSON.stringify(failure).slice(0, 1_500)}\n`);
if (values.control ? failures.length === 0 : failures.length > 0) process.exitCode = 1;
