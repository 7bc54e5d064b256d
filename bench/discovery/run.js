// How well and how fast tools are found, on public labelled requests, compared with other methods in the same run.
// node bench/discovery/run.js [corpora, comma-separated, or all] [every n-th request] [engines, comma-separated, or all]
import { lacking } from './bars.js';
import { ways, withConnected } from './connected.js';
import { controls } from './controls.js';
import { corpora, isHere, readCorpus } from './corpora.js';
import { cpuOf } from './cpu.js';
import { fromDist } from './dist.js';
import { measure } from './measures.js';
import { printTable, printVerdicts } from './tables.js';
import { confusion } from './verbs.js';

const { createToolIndex } = await fromDist('discovery/index.js');
const chosen = (given, known) => {
  const names = given && given !== 'all' ? given.split(',') : known;
  for (const name of names)
    if (!known.includes(name)) throw new RangeError(`No ${name}: there are ${known.join(', ')}`);
  return names;
};
const wanted = chosen(process.argv[2], corpora);
const step = Number(process.argv[3] ?? 1);
const engineNames = chosen(process.argv[4], ['helve', ...Object.keys(controls)]);
const warmUp = 50;
if (!isHere()) {
  console.log('skipped: no ../shared/data/discovery');
  process.exit(0);
}

/** Each finds `{ ids, abstained }` for a text and options of the index; the controls use only `toolkits`. */
async function createEngines(tools) {
  const engines = {};
  for (const name of engineNames) {
    if (name === 'helve') {
      const index = await createToolIndex(tools);
      engines.helve = (text, options) => {
        const { hits, abstained, answer } = index.search(text, options);
        return { ids: hits.map(({ id }) => id), abstained, unsure: answer === 'perhaps' };
      };
      continue;
    }
    const find = controls[name](tools);
    engines[name] = (text, options) => {
      const ids = find(text, options);
      return { ids, abstained: ids.length === 0 };
    };
  }
  return engines;
}

/** Runs the engines in turn on each request, so that all have the same conditions. */
function compare(engines, tools, requests, optionsOf = () => ({})) {
  const byId = new Map(tools.map((tool) => [tool.id, tool]));
  const runs = Object.fromEntries(Object.keys(engines).map((name) => [name, []]));
  for (const request of requests.slice(0, warmUp))
    for (const find of Object.values(engines)) find(request.text, optionsOf(request));
  for (const request of requests) {
    const { text, relevant } = request;
    for (const [name, find] of Object.entries(engines)) {
      const { value, ms } = cpuOf(() => find(text, optionsOf(request)));
      runs[name].push({ ...value, relevant, ms, confused: confusion(byId, value.ids[0], relevant) });
    }
  }
  return Object.fromEntries(Object.entries(runs).map(([name, rows]) => [name, measure(rows)]));
}

const verdicts = [];

/** Prints the rows of a set, and remembers what each row of the index lacks. */
function report(set, size, rows) {
  printTable(`${set}, ${size} tools`, rows);
  for (const [name, row] of Object.entries(rows)) {
    if (!name.startsWith('helve')) continue;
    verdicts.push({
      set: `${set}${name.slice('helve'.length)}`,
      missing: lacking(set, row, rows[name.replace('helve', 'bm25f')]),
    });
  }
}

function runConnected(engines, tools, requests) {
  const { helve } = engines;
  for (const from of ['all', 'asked']) {
    const drawn = withConnected(tools, requests, from);
    const rows = {};
    for (const [way, optionsOf] of Object.entries(ways)) {
      const able = way === 'toolkits' ? engines : helve ? { helve } : {};
      const measured = compare(able, tools, drawn, ({ connected }) => optionsOf(connected));
      for (const [name, row] of Object.entries(measured)) rows[`${name}, ${way}`] = row;
    }
    const others = `the right and nine others (of ${from === 'all' ? 'all apps' : 'the apps asked for'})`;
    report(`composio text_noapp, ${others}`, tools.length, rows);
  }
}

/** The written requests, put to fewer tools: of 14 apps, and of the right app alone. */
function runWithin(engines, tools, requests) {
  for (const [title, others] of [
    ['14 apps', 13],
    ['inside the app', 0],
  ]) {
    const drawn = withConnected(tools, requests, 'all', others);
    const only = ({ connected }) => ({ toolkits: connected });
    report(`written, ${title}`, tools.length, compare(engines, tools, drawn, only));
  }
}

console.log(`${new Date().toISOString()}, Node ${process.version}, every ${step}. request; p50 and p95 are CPU ms`);
for (const corpus of wanted) {
  const { tools, sets } = await readCorpus(corpus);
  const engines = await createEngines(tools);
  for (const [name, all] of Object.entries(sets)) {
    const requests = all.filter((_, at) => at % step === 0);
    report(name, tools.length, compare(engines, tools, requests));
    if (name === 'composio text_noapp') runConnected(engines, tools, requests);
    if (name === 'written') runWithin(engines, tools, requests);
  }
}
if (engineNames.includes('helve')) printVerdicts(verdicts);
