// The three answers: how often "nothing" is right, how many requests are lost by it, and what is answered with "perhaps". The
// last tables show what other thresholds of the probability would do. A request out of scope that is answered with "perhaps" is
// not declined; one that can be served is not lost by it.
// node bench/discovery/abstention.js [every n-th request]
import { withConnected } from './connected.js';
import { benchmarks, isHere, readCorpus } from './corpora.js';
import { fromDist } from './dist.js';
import { freshOutOfScope } from './fresh-requests.js';
import { integrationOutOfScope } from './integration-requests.js';
import { outOfScope } from './out-of-scope.js';
import { draw, numbersFrom } from './random.js';
import { printTable } from './tables.js';

const { createToolIndex } = await fromDist('discovery/index.js');
const { loadRanker } = await fromDist('discovery/rank/ranker.js');
const step = Number(process.argv[2] ?? 1);
const thresholds = [0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5];
if (!isHere()) {
  console.log('skipped: no ../shared/data/discovery');
  process.exit(0);
}

const ranker = await loadRanker();
let probability = Number.NaN;
/** The shipped ranker, with the probability that it computed for the last request. */
const listening = {
  ...ranker,
  probability: (numbers) => {
    probability = ranker.probability(numbers);
    return probability;
  },
};

/** Each request's answer and probability; the latter is 0 or 1 if the request is answered before the ranker is asked. */
function run(index, requests, optionsOf = () => ({})) {
  return requests
    .filter((_, at) => at % step === 0)
    .map((request) => {
      probability = Number.NaN;
      const { hits, abstained, answer } = index.search(request.text, optionsOf(request));
      const found = hits.slice(0, 5).some(({ id }) => request.relevant?.includes(id));
      const known = Number.isNaN(probability) ? Number(!abstained) : probability;
      return { abstained, unsure: answer === 'perhaps', found, probability: known };
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
const below = (threshold) => (row) => row.probability < threshold;

function readAnswerable(index, tools, sets) {
  const text = sets['composio text'];
  const raw = sets['composio text_noapp'];
  return {
    'composio text': run(index, text),
    'composio text_noapp': run(index, raw),
    'composio text_noapp, ten connected': runConnected(index, tools, raw),
  };
}

/** Requests of the other benchmarks, each in its own catalogue, and written ones for held-out apps and for the bundled tools. */
async function readOwn() {
  const rows = {};
  const written = await readCorpus('written');
  const index = await createToolIndex(written.tools, { ranker: listening });
  for (const name of ['written, app named', 'written, app not named']) rows[name] = run(index, written.sets[name]);
  const requests = written.sets.written;
  for (const [title, others] of [
    ['written, 14 apps', 13],
    ['written, inside the app', 0],
  ]) {
    const drawn = withConnected(written.tools, requests, 'all', others);
    rows[title] = run(index, drawn, ({ connected }) => ({ toolkits: connected }));
  }
  for (const corpus of ['bundled', 'integrations']) {
    const { tools, sets } = await readCorpus(corpus);
    const index = await createToolIndex(tools, { ranker: listening });
    for (const [name, some] of Object.entries(sets)) rows[name] = run(index, some);
  }
  for (const corpus of benchmarks) {
    const { tools, sets } = await readCorpus(corpus);
    const index = await createToolIndex(tools, { ranker: listening });
    rows[`${corpus} in its own catalogue`] = run(index, Object.values(sets).flat());
  }
  return rows;
}

/**
 * Requests of callers who have only half of the apps, not the right ones: each half in turn. The index knows all of them. An
 * app and its bot are in the same half, because Slack's bot does what is asked of Slack.
 */
function readTakenOut(index, tools, requests) {
  const apps = [...new Set(tools.map(({ toolkit }) => toolkit))].sort();
  const serviceOf = (app) => app.replace(/_?bot$/, '');
  const services = [...new Set(apps.map(serviceOf))];
  const half = new Set(draw(numbersFrom(20_261_122), services, Math.floor(services.length / 2), []));
  const byId = new Map(tools.map((tool) => [tool.id, tool]));
  const named = [];
  const unnamed = [];
  for (const isOut of [(app) => half.has(serviceOf(app)), (app) => !half.has(serviceOf(app))]) {
    const toolkits = apps.filter((app) => !isOut(app));
    const gone = requests.filter(({ relevant }) => relevant.every((id) => isOut(byId.get(id)?.toolkit)));
    const squash = (text) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
    const isNamed = ({ text, relevant }) =>
      relevant.some((id) => squash(text).includes(squash(byId.get(id)?.toolkitName ?? '?')));
    const only = () => ({ toolkits });
    named.push(...run(index, gone.filter(isNamed), only));
    unnamed.push(
      ...run(
        index,
        gone.filter((request) => !isNamed(request)),
        only,
      ),
    );
  }
  return { 'app not available, named': named, 'app not available, not named': unnamed };
}

async function readOutOfScope(index, tools, sets) {
  const rows = {};
  const small = await createToolIndex((await readCorpus('bundled')).tools, { ranker: listening });
  rows['questions and chores to the bundled tools'] = run(small, outOfScope);
  rows['fresh questions, chores and errands to the bundled tools'] = run(small, freshOutOfScope);
  const native = await createToolIndex((await readCorpus('integrations')).tools, { ranker: listening });
  rows['questions and chores, to bundled tools and integrations'] = run(native, outOfScope);
  rows['chores and small talk, to bundled tools and integrations'] = run(native, integrationOutOfScope);
  for (const corpus of benchmarks)
    rows[`${corpus} to composio`] = run(index, Object.values((await readCorpus(corpus)).sets).flat());
  rows['questions and chores'] = run(index, outOfScope);
  Object.assign(rows, readTakenOut(index, tools, sets['composio text']));
  const foreign = (await readCorpus('bfcl_live')).sets.bfcl_live.map(({ text }) => ({ text }));
  rows['bfcl_live to composio, nine connected'] = runConnected(index, tools, foreign);
  rows['questions and chores, nine connected'] = runConnected(index, tools, outOfScope);
  return rows;
}

const { tools, sets } = await readCorpus('composio');
const index = await createToolIndex(tools, { ranker: listening });
const answerable = { ...readAnswerable(index, tools, sets), ...(await readOwn()) };
const outside = await readOutOfScope(index, tools, sets);

const toTable = (sets, toRow) => Object.fromEntries(Object.entries(sets).map(([name, rows]) => [name, toRow(rows)]));
const curve = (rows) => Object.fromEntries(thresholds.map((one) => [`p < ${one}`, share(rows, below(one))]));

console.log(
  `${new Date().toISOString()}, Node ${process.version}, every ${step}. request; nothing below ${ranker.nothing}, perhaps below ${ranker.perhaps}`,
);
const answerableRow = (rows) => ({
  requests: rows.length,
  lost: share(rows, ({ abstained }) => abstained),
  'lost though found in the first 5': share(rows, ({ abstained, found }) => abstained && found),
  perhaps: share(rows, ({ unsure }) => unsure),
});
const outsideRow = (rows) => ({
  requests: rows.length,
  declined: share(rows, ({ abstained }) => abstained),
  perhaps: share(rows, ({ unsure }) => unsure),
});
printTable('answerable', toTable(answerable, answerableRow));
printTable('out of scope', toTable(outside, outsideRow));
printTable('answerable, share below a probability', toTable(answerable, curve));
printTable('out of scope, share below a probability', toTable(outside, curve));
const wrong = outOfScope
  .filter((_, at) => at % step === 0)
  .filter((_, at) => !outside['questions and chores'][at].abstained);
console.log(`\nNot declined, of questions and chores: ${wrong.length}`);
for (const { group, text } of wrong.slice(0, 30)) {
  const [first] = index.search(text).hits;
  console.log(`    ${group}: ${text} → ${first?.id}`);
}
