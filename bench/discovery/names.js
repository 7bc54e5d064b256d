// How reliably a tool is found by its name: every name of the catalogue in sentences and forms, every name with one typing
// error, and how often a labelled request is mistaken for a name that it does not mean.
// node bench/discovery/names.js [every n-th name] [forms, comma-separated: those below, or all]
import { benchmarks, isHere, readCorpus } from './corpora.js';
import { fromDist } from './dist.js';
import { numbersFrom } from './random.js';

const { createToolIndex } = await fromDist('discovery/index.js');
const step = Number(process.argv[2] ?? 1);
const forms = process.argv[3] && process.argv[3] !== 'all' ? process.argv[3].split(',') : undefined;
const isWanted = (form) => forms === undefined || forms.includes(form);
if (!isHere()) {
  console.log('skipped: no ../shared/data/discovery');
  process.exit(0);
}

const sentences = {
  middle: (name) => `Please run ${name} for the new report`,
  start: (name) => `${name} should be called with these values`,
  end: (name) => `We want to see what happens with ${name}.`,
  backticks: (name) => `then call \`${name}\` twice`,
  'double-quotes': (name) => `use the tool "${name}", please`,
  'single-quotes': (name) => `the tool '${name}' is what I need`,
  'curly-quotes': (name) => `take “${name}” this time`,
  parentheses: (name) => `the right one (${name}) is known`,
  bold: (name) => `**${name}**: run it`,
  question: (name) => `can you do ${name}?`,
  alone: (name) => name,
  'lower-case': (name) => `please run ${name.toLowerCase()} now`,
  legacy: (name, app) => `call composio-${app.toLowerCase()}_${ownPart(name, app).toLowerCase()} now`,
};
const ownPart = (name, app) => (name.startsWith(`${app}_`) ? name.slice(app.length + 1) : name);

const { tools: rows } = await readCorpus('composio');
const apps = rows.map(({ toolkit }) => toolkit.toUpperCase());
const catalogues = {
  'GITHUB_CREATE_ISSUE in GITHUB': rows.map(({ id }, at) => ({ id, toolkit: apps[at], name: id })),
  'create_issue in github': rows.map(({ id, toolkit, name }) => ({ id, toolkit, name })),
};

const signs = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_';
const typos = {
  missing: (name, at) => name.slice(0, at) + name.slice(at + 1),
  added: (name, at, sign) => name.slice(0, at) + sign + name.slice(at),
  wrong: (name, at, sign) => name.slice(0, at) + sign + name.slice(at + 1),
  exchanged: (name, at) => name.slice(0, at) + (name[at + 1] ?? '') + (name[at] ?? '') + name.slice(at + 2),
};

const none = 'none-meant';
const known = [...Object.keys(sentences), ...Object.keys(typos), none];
for (const form of forms ?? [])
  if (!known.includes(form)) throw new RangeError(`No form is called ${form}: there are ${known.join(', ')}`);

const share = (missed, count) => `${(100 * (1 - missed / Math.max(1, count))).toFixed(3)} %`;
const isFirst = (hits, name) => hits[0]?.id === name;

function print(label, missed, count, examples) {
  console.log(`${label.padEnd(16)} first: ${share(missed, count)}   missed: ${missed} of ${count}`);
  for (const example of examples) console.log(`    ${example}`);
}

/** Every n-th name in a sentence. */
function runSentence(index, names, label) {
  const missed = [];
  let count = 0;
  for (let at = 0; at < names.length; at += step) {
    const text = sentences[label](names[at], apps[at]);
    const { hits } = index.search(text);
    count += 1;
    if (!isFirst(hits, names[at])) missed.push(`${text}: ${hits[0]?.id} (${hits[0]?.why?.[0] ?? ''})`);
  }
  print(label, missed.length, count, missed.slice(0, 5));
}

/** Every n-th name with one error. An error that gives another tool's name is counted separately, because no method could detect it. */
function runTypo(index, names, label) {
  const below = numbersFrom(20_261_122);
  const taken = new Set(names);
  const missed = [];
  let count = 0;
  let others = 0;
  for (let at = 0; at < names.length; at += step) {
    const name = names[at];
    const sign = signs[below(signs.length)];
    const made = typos[label](name, below(name.length - (label === 'exchanged' ? 1 : 0)), sign);
    if (made === name) continue;
    if (taken.has(made)) {
      others += 1;
      continue;
    }
    const text = `Please run ${made} for the new report`;
    const { hits } = index.search(text);
    count += 1;
    if (!isFirst(hits, name)) missed.push(`${name} as ${made}: ${hits[0]?.id} (${hits[0]?.why?.[0] ?? ''})`);
  }
  print(label, missed.length, count, missed.slice(0, 5));
  if (others > 0) console.log(`    besides, the error made another tool's name: ${others}`);
}

/** An exact name reported for a request that means another tool. */
async function runNoneMeant(corpus) {
  const { tools, sets } = await readCorpus(corpus);
  const index = await createToolIndex(tools);
  for (const [label, requests] of Object.entries(sets)) {
    const wrong = [];
    for (const { text, relevant } of requests.filter((_, at) => at % step === 0))
      for (const { id, why } of index.search(text).hits)
        if (why?.includes('exact name') && !relevant.includes(id)) wrong.push(`${text.slice(0, 80)}: ${id}`);
    console.log(label, { requests: Math.ceil(requests.length / step), wrong: wrong.length });
    for (const example of wrong.slice(0, 5)) console.log(`    ${example}`);
  }
}

for (const [form, tools] of Object.entries(catalogues)) {
  if (forms?.every((one) => one === none)) break;
  console.log(`\n${form}: ${tools.length} names${step > 1 ? `, every ${step}th` : ''}`);
  const index = await createToolIndex(tools);
  const names = tools.map(({ id }) => id);
  for (const label of Object.keys(sentences).filter(isWanted)) runSentence(index, names, label);
  for (const label of Object.keys(typos).filter(isWanted)) runTypo(index, names, label);
}
if (isWanted(none)) {
  console.log('\nexact names where none is meant');
  for (const corpus of ['composio', ...benchmarks]) await runNoneMeant(corpus);
}
