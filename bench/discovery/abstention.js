// When the index says that nothing fits: how often it is right, and how many requests are lost. The curves show the effect of
// other thresholds of the shipped ranker: one for requests to all tools, one for callers that have toolkits in use.
// node bench/discovery/abstention.js [every n-th request]
import { withConnected } from './connected.js';
import { benchmarks, isHere, readCorpus } from './corpora.js';
import { fromDist } from './dist.js';
import { outOfScope } from './out-of-scope.js';
import { draw, numbersFrom } from './random.js';
import { printTable } from './tables.js';

const { createToolIndex } = await fromDist('discovery/index.js');
const { loadRanker } = await fromDist('discovery/rank/ranker.js');
const step = Number(process.argv[2] ?? 1);
const lostShares = [0, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2];
if (!isHere()) {
  console.log('skipped: no ../shared/data/discovery');
  process.exit(0);
}

const ranker = await loadRanker();
let fitness = Number.NaN;
/** The shipped ranker, with the fitness that it computed for the last request. */
const listening = {
  ...ranker,
  fitness: (numbers, start) => {
    fitness = ranker.fitness(numbers, start);
    return fitness;
  },
};

/**
 * Each request's fitness and outcome. A request that ends before the ranker is used is answered or declined at any threshold,
 * so its fitness is infinite.
 */
function run(index, requests, optionsOf = () => ({})) {
  return requests
    .filter((_, at) => at % step === 0)
    .map((request) => {
      fitness = Number.NaN;
      const { hits, abstained } = index.search(request.text, optionsOf(request));
      const bound = abstained ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
      const found = hits.slice(0, 5).some(({ id }) => request.relevant?.includes(id));
      return { abstained, found, fitness: Number.isNaN(fitness) ? bound : fitness };
    });
}

/** Connects the right toolkits and nine others; for requests out of scope, only nine. */
function runConnected(index, tools, requests) {
  const drawn = withConnected(
    tools,
    requests.map((request) => ({ relevant: [], ...request })),
    'all',
  );
  return run(index, drawn, ({ connected }) => ({ context: { connected } }));
}

const share = (rows, of) => rows.filter(of).length / Math.max(1, rows.length);
const below = (threshold) => (row) => row.fitness < threshold;

function readAnswerable(index, tools, sets) {
  const text = sets['composio text'];
  const raw = sets['composio text_noapp'];
  return {
    'composio text': run(index, text),
    'composio text_noapp': run(index, raw),
    'composio text_noapp, ten connected': runConnected(index, tools, raw),
  };
}

/** Requests of the other benchmarks, each in its own catalogue. */
async function readOwn() {
  const rows = {};
  for (const corpus of benchmarks) {
    const { tools, sets } = await readCorpus(corpus);
    const index = await createToolIndex(tools, { ranker: listening });
    rows[`${corpus} in its own catalogue`] = run(index, Object.values(sets).flat());
  }
  return rows;
}

/** Requests whose apps have all been removed. The apps are split into two halves, and each half is removed once. */
async function readTakenOut(tools, requests) {
  const apps = [...new Set(tools.map(({ toolkit }) => toolkit))].sort();
  const half = new Set(draw(numbersFrom(20_261_122), apps, Math.floor(apps.length / 2), []));
  const byId = new Map(tools.map((tool) => [tool.id, tool]));
  const named = [];
  const unnamed = [];
  for (const isOut of [(app) => half.has(app), (app) => !half.has(app)]) {
    const index = await createToolIndex(
      tools.filter(({ toolkit }) => !isOut(toolkit)),
      { ranker: listening },
    );
    const gone = requests.filter(({ relevant }) => relevant.every((id) => isOut(byId.get(id)?.toolkit)));
    const squash = (text) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
    const isNamed = ({ text, relevant }) =>
      relevant.some((id) => squash(text).includes(squash(byId.get(id)?.toolkitName ?? '?')));
    named.push(...run(index, gone.filter(isNamed)));
    unnamed.push(
      ...run(
        index,
        gone.filter((request) => !isNamed(request)),
      ),
    );
  }
  return { 'app taken out, named': named, 'app taken out, not named': unnamed };
}

async function readOutOfScope(index, tools, sets) {
  const rows = {};
  for (const corpus of benchmarks)
    rows[`${corpus} to composio`] = run(index, Object.values((await readCorpus(corpus)).sets).flat());
  rows['questions and chores'] = run(index, outOfScope);
  Object.assign(rows, await readTakenOut(tools, sets['composio text']));
  const foreign = (await readCorpus('bfcl_live')).sets.bfcl_live.map(({ text }) => ({ text }));
  rows['bfcl_live to composio, nine connected'] = runConnected(index, tools, foreign);
  rows['questions and chores, nine connected'] = runConnected(index, tools, outOfScope);
  return rows;
}

const { tools, sets } = await readCorpus('composio');
const index = await createToolIndex(tools, { ranker: listening });
const answerable = { ...readAnswerable(index, tools, sets), ...(await readOwn()) };
const outside = await readOutOfScope(index, tools, sets);

console.log(
  `${new Date().toISOString()}, Node ${process.version}, every ${step}. request; shipped threshold ${ranker.threshold}`,
);
const lostRow = (rows) => ({
  requests: rows.length,
  lost: share(rows, ({ abstained }) => abstained),
  'lost though found in the first 5': share(rows, ({ abstained, found }) => abstained && found),
});
const toTable = (sets, toRow) => Object.fromEntries(Object.entries(sets).map(([name, rows]) => [name, toRow(rows)]));
printTable('answerable', toTable(answerable, lostRow));
printTable(
  'out of scope',
  toTable(outside, (rows) => ({ requests: rows.length, declined: share(rows, ({ abstained }) => abstained) })),
);

/** The highest threshold at which at most this share of the rows is lost. */
function thresholdFor(rows, lost) {
  const known = rows.map((row) => row.fitness).sort((a, b) => a - b);
  return known[Math.min(known.length - 1, Math.floor(lost * known.length))] ?? 0;
}

/** The share of each set that is declined, at the thresholds that lose these shares of one of the sets. */
function printCurve(title, sets, measured) {
  const thresholds = lostShares.map((lost) => [`${(100 * lost).toFixed(2)} %`, thresholdFor(measured, lost)]);
  const row = (of) => Object.fromEntries(thresholds.map(([label, threshold]) => [label, of(threshold)]));
  const shares = toTable(sets, (rows) => row((threshold) => share(rows, below(threshold))));
  printTable(title, { 'the threshold': row((threshold) => threshold), ...shares });
}

const all = Object.entries({ ...answerable, ...outside });
const isConnected = ([name]) => name.includes('connected');
printCurve(
  'declined, where this share of `composio text` is lost',
  Object.fromEntries(all.filter((one) => !isConnected(one))),
  answerable['composio text'],
);
printCurve(
  'declined, where this share with ten connected is lost',
  Object.fromEntries(all.filter(isConnected)),
  answerable['composio text_noapp, ten connected'],
);
const wrong = outOfScope
  .filter((_, at) => at % step === 0)
  .filter((_, at) => !outside['questions and chores'][at].abstained);
console.log(`\nNot declined, of questions and chores: ${wrong.length}`);
for (const { group, text } of wrong.slice(0, 30)) {
  const [first] = index.search(text).hits;
  console.log(`    ${group}: ${text} → ${first?.id}`);
}
