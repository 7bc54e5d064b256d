// Checks the written requests and counts them: node scripts/discovery/check-requests.js FOLDER-OF-MEASUREMENTS
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashOf } from './kept-out.js';

const kinds = ['plain', 'indirect', 'several', 'typo'];
const languages = ['en', 'es', 'de', 'fr', 'pt', 'it', 'nl', 'zh', 'ja'];
const heldOut = 'held-out.jsonl';
/** Kept-out apps whose names are everyday words: a request may use them. */
const everyday = new Set(['make', 'monday']);
const folder = new URL('requests/', import.meta.url);
const lines = (text) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

/** One app in ten is our own evaluation; no request of it is in another file. */
const isHeldOut = (app) => Number.parseInt(hashOf(app).slice(0, 8), 16) % 10 === 0;

/** Each run of up to three words, as one word. */
const runsOf = (text) => {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.flatMap((_, from) => [1, 2, 3].map((count) => words.slice(from, from + count).join('')));
};

/** Returns the problems with a request of `file`. */
function faultsOf(request, { file, tools, twins, keptOut, seen }) {
  const { text, tools: right, not, app, kind, language } = request;
  const ids = [...right, ...not];
  const found = ids.flatMap((id) => tools.get(id) ?? []);
  const names = found.flatMap((tool) => [tool.app, tool.app_name]);
  return [
    ...ids.filter((id) => !tools.has(id)).map((id) => `no tool ${id}`),
    ...names.filter((name) => keptOut.apps.has(hashOf(name))).map((name) => `kept-out app ${name}`),
    ...runsOf(text)
      .filter((run) => !everyday.has(run) && keptOut.apps.has(hashOf(run)))
      .map((run) => `names ${run}`),
    twins.some((those) => [right, not].every((some) => some.some((id) => those.includes(id)))) && 'a twin is wrong',
    found.some((tool) => isHeldOut(tool.app) !== (file === heldOut)) && 'in the wrong file',
    keptOut.texts.has(hashOf(text)) && 'a measured text',
    seen.has(hashOf(text)) && 'repeated',
    (right.length === 0 || not.length > 3 || new Set(ids).size < ids.length) && 'tools',
    !(kinds.includes(kind) && languages.includes(language) && ['named', 'unnamed'].includes(app)) && 'labels',
  ].filter(Boolean);
}

const count = (requests, key) =>
  [...new Set(requests.map((request) => request[key]))]
    .map((value) => `${value} ${requests.filter((request) => request[key] === value).length}`)
    .join(', ');

const measurements = process.argv[2];
if (measurements === undefined || !existsSync(measurements)) throw new Error('Name the folder of measurements');
const tools = new Map(
  lines(readFileSync(join(measurements, 'composio/tools.jsonl'), 'utf8')).map((tool) => [tool.id, tool]),
);
const load = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'));
const list = load('kept-out.json');
/** Tools of one app that do the same. */
const twins = load('twins.json');
for (const id of twins.flat()) if (!tools.has(id)) throw new Error(`No tool ${id}`);
const keptOut = { apps: new Set(list.apps), texts: new Set(list.texts) };
const seen = new Set();
const all = [];
for (const file of readdirSync(folder).filter((name) => name.endsWith('.jsonl'))) {
  for (const request of lines(readFileSync(new URL(file, folder), 'utf8'))) {
    for (const fault of faultsOf(request, { file, tools, twins, keptOut, seen })) {
      console.log(`${file}: ${request.text}: ${fault}`);
      process.exitCode = 1;
    }
    seen.add(hashOf(request.text));
    all.push({ ...request, file });
  }
}
const appsOf = (requests) => new Set(requests.flatMap((request) => request.tools.map((id) => tools.get(id)?.app))).size;
const kept = all.filter(({ file }) => file === heldOut);
console.log(`${all.length} requests of ${appsOf(all)} apps and ${new Set(all.flatMap((one) => one.tools)).size} tools`);
console.log(`${heldOut}: ${kept.length} requests of ${appsOf(kept)} apps`);
for (const key of ['language', 'kind', 'app']) console.log(`${key}: ${count(all, key)}`);
