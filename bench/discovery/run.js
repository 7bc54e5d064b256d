// How well and how fast tools are found, on public labelled requests, beside MiniSearch and SQLite FTS5 in the same run.
// node bench/discovery/run.js [corpora, comma-separated] [every n-th request] [controls: yes|no]
import { createToolIndex } from '../../dist/discovery/index.js';
import { fts5Of, miniSearchOf } from './controls.js';
import { corpora, isHere, readCorpus } from './corpora.js';
import { measure } from './measures.js';

const wanted = process.argv[2] && process.argv[2] !== 'all' ? process.argv[2].split(',') : corpora;
const step = Number(process.argv[3] ?? 1);
const withControls = process.argv[4] !== 'no';
if (!isHere()) {
  console.log('skipped: no ../shared/data/discovery');
  process.exit(0);
}

const cpu = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};
const since = async (act) => {
  const began = cpu();
  const value = await act();
  return { value, ms: cpu() - began };
};
const show = (row) =>
  Object.fromEntries(
    Object.entries(row).map(([key, value]) => [key, Number.isInteger(value) ? value : value.toFixed(3)]),
  );

/** Runs the engines in turn on each request, so that all of them meet the same machine. */
async function compare(engines, requests) {
  const runs = Object.fromEntries(Object.keys(engines).map((name) => [name, []]));
  for (const { text, relevant } of requests) {
    for (const [name, find] of Object.entries(engines)) {
      const { value, ms } = await since(() => find(text));
      runs[name].push({ ids: value, relevant, ms });
    }
  }
  return Object.fromEntries(Object.entries(runs).map(([name, rows]) => [name, show(measure(rows))]));
}

/** The longest that a timer of 1 ms had to wait while something was built. */
async function stallOf(act) {
  let last = performance.now();
  let most = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    most = Math.max(most, now - last - 1);
    last = now;
  }, 1);
  const value = await act();
  clearInterval(timer);
  return { value, stall: most };
}

async function costs(tools) {
  const before = process.memoryUsage();
  const built = await stallOf(() => since(() => createToolIndex(tools)));
  const index = built.value.value;
  globalThis.gc?.();
  const after = process.memoryUsage();
  const snapshot = await index.save();
  const empty = await createToolIndex([]);
  const loaded = await stallOf(() => since(() => empty.load(snapshot)));
  const groups = new Map();
  for (const tool of tools) groups.set(tool.toolkit, [...(groups.get(tool.toolkit) ?? []), tool]);
  const [largest] = [...groups.values()].sort((a, b) => b.length - a.length);
  const added = await since(() => index.add(largest));
  const megabytes = (after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers) / 2 ** 20;
  const row = {
    tools: tools.length,
    buildCpuMs: built.value.ms,
    buildStallMs: built.stall,
    megabytes,
    snapshotMegabytes: snapshot.length / 2 ** 20,
    loadCpuMs: loaded.value.ms,
    loadStallMs: loaded.stall,
    largestToolkit: largest.length,
    addLargestMs: added.ms,
  };
  return { index, row: show(row) };
}

for (const corpus of wanted) {
  const { tools, sets } = readCorpus(corpus);
  const { index, row } = await costs(tools);
  console.log(`\n${corpus}`, row);
  const engines = { helve: (text) => index.search(text).hits.map(({ id }) => id) };
  if (withControls) Object.assign(engines, { minisearch: miniSearchOf(tools), fts5: fts5Of(tools) });
  for (const [name, requests] of Object.entries(sets)) {
    console.log(name);
    console.table(
      await compare(
        engines,
        requests.filter((_, at) => at % step === 0),
      ),
    );
  }
}
