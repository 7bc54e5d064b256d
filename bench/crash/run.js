/**
 * Kills a plane under load repeatedly, and checks that nothing that was acknowledged is lost and that nothing happened
 * without being announced: see README.md.
 *
 *   node bench/crash/run.js [--kills 200] [--store sqlite|postgres|both] [--lanes 8] [--start-limit-ms 2000]
 *                           [--lose <fault>] [--self-test]
 */
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { titles, together } from './check.js';
import { faults } from './faults.js';
import { checkAll, runLoop } from './loop.js';
import { createProgress, summarise, table } from './report.js';
import { createStore } from './store.js';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    store: { type: 'string', default: 'both' },
    lanes: { type: 'string', default: '8' },
    'start-limit-ms': { type: 'string', default: '2000' },
    lose: { type: 'string' },
    'self-test': { type: 'boolean', default: false },
  },
});
const stores = values.store === 'both' ? ['sqlite', 'postgres'] : [values.store];
const kills = whole('kills');
const lanes = whole('lanes');
const startLimitMs = whole('start-limit-ms');
if (stores.some((store) => store !== 'sqlite' && store !== 'postgres')) usage(`--store ${values.store}`);
if (values.lose !== undefined && !(values.lose in faults))
  usage(`--lose ${values.lose}: ${Object.keys(faults).join(', ')}`);

const stopping = new AbortController();
process.on('SIGINT', () => {
  if (stopping.signal.aborted) process.exit(130);
  process.stderr.write('\nStopping after this round; press Ctrl-C again to stop immediately.\n');
  stopping.abort();
});

const summaries = [];
for (const store of stores) if (!stopping.signal.aborted) summaries.push(await run(store));
process.stdout.write(`${JSON.stringify(summaries)}\n`);
if (stopping.signal.aborted) process.exitCode = 130;
else if (!summaries.every(({ ok }) => ok)) process.exitCode = 1;

async function run(kind) {
  const store = await createStore(kind);
  const began = performance.now();
  try {
    const onProgress = createProgress(process.stderr, kind, kills);
    const state = await runLoop({ store, kills, lanes, startLimitMs, onProgress, signal: stopping.signal });
    const all = stopping.signal.aborted ? undefined : await conclude(state, store);
    const summary = summarise({ store: kind, lanes, state, all, seconds: (performance.now() - began) / 1000 });
    process.stderr.write(`${table(summary)}\n`);
    if (!values['self-test']) return summary;
    const missed = all === undefined ? [] : await selfTest(state, store, all);
    return { ...summary, ok: summary.ok && missed.length === 0, missed };
  } finally {
    await store.remove();
  }
}

/** Reads the whole record again, with the requested damage, if any. */
async function conclude(state, store) {
  const honest = await checkAll(state, store);
  const all = values.lose === undefined ? honest : await damaged(values.lose, state, store, honest);
  state.found = together([state.found, all.found]);
  if (!state.verified?.ok) state.found.chain.push(`Helve's own check says ${JSON.stringify(state.verified)}`);
  if (state.verified && state.verified.rows > all.record.seq) state.found.chain.push('rows that Helve saw are gone');
  return all;
}

function damaged(name, state, store, honest) {
  return checkAll(state, store, faults[name].make(honest, state.acknowledged));
}

/** Tries every fault in turn; returns those that their checks did not find. */
async function selfTest(state, store, honest) {
  const missed = [];
  for (const [name, { title, caughtBy }] of Object.entries(faults)) {
    const { found } = await damaged(name, state, store, honest);
    const caught = found[caughtBy].length > 0;
    if (!caught) missed.push(name);
    process.stderr.write(`  ${caught ? 'caught' : 'MISSED'}: ${title} → ${titles[caughtBy]}\n`);
  }
  return missed;
}

function whole(name) {
  const number = Number(values[name]);
  if (!Number.isInteger(number) || number < 1) usage(`--${name} ${values[name]}`);
  return number;
}

function usage(problem) {
  process.stderr.write(`${problem}\nSee the head of bench/crash/run.js.\n`);
  process.exit(2);
}
