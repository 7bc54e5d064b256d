// The catalogue that the written requests are for, without the apps that are kept out and those of our own evaluation, and the
// requests themselves. The catalogue is not part of the package: it lies with the measurements, and its hash is checked.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createKeptOut, hashOf } from './kept-out.js';

const heldOut = 'held-out.jsonl';
const folder = new URL('requests/', import.meta.url);
const expected = '065c947a8fee09ba87b0301a712b0eb2baa34105ba9a1945e67db431b59262df';

/** The file of the catalogue; `HELVE_TRAINING_CATALOGUE` names another place. */
export const catalogueFile = () =>
  process.env.HELVE_TRAINING_CATALOGUE ||
  fileURLToPath(new URL('../../../shared/data/discovery/composio/tools.jsonl', import.meta.url));

const parseLines = (text) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

/** One app in ten is our own evaluation; nothing of it is trained with. */
export const isHeldOut = (app) => Number.parseInt(hashOf(app).slice(0, 8), 16) % 10 === 0;

/** The tools that may be trained with, as `{ id, app, app_name, title, description, parameters }`. */
export function readTrainingTools(keptOut, file = catalogueFile()) {
  if (!existsSync(file))
    throw new Error(`No catalogue at ${file}: training needs it. Name its tools.jsonl in HELVE_TRAINING_CATALOGUE.`);
  const bytes = readFileSync(file);
  const hash = createHash('sha256').update(bytes).digest('hex');
  if (hash !== expected) throw new Error(`${file} is not the catalogue that was trained on: ${hash}, not ${expected}`);
  const isKeptOut = createKeptOut(keptOut);
  const apps = new Set(keptOut.apps);
  const texts = new Set(keptOut.texts);
  const verdicts = new Map();
  const isFree = ({ app, app_name }) => {
    if (!verdicts.has(app)) {
      const named = [app, app_name].some((name) => apps.has(hashOf(name)));
      verdicts.set(app, !named && !isHeldOut(app) && !isKeptOut.hasApi({ api: app.toLowerCase(), title: app_name }));
    }
    return verdicts.get(app);
  };
  const isMeasured = (tool) => [tool.id, tool.title, tool.description].some((text) => text && texts.has(hashOf(text)));
  return parseLines(bytes.toString()).filter((tool) => isFree(tool) && !isMeasured(tool));
}

/** The written requests for these tools, from every file but the one of our own evaluation. */
export function readRequests(tools) {
  const known = new Set(tools.map(({ id }) => id));
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl') && name !== heldOut)
    .sort()
    .flatMap((name) => parseLines(readFileSync(new URL(name, folder), 'utf8')))
    .filter((request) => request.tools.every((id) => known.has(id)));
}

/** The tool's name without its app, in small letters. */
export const ownName = ({ id, app }) => id.slice(app.length + 1).toLowerCase();

/**
 * As pairs for the word vectors: `documented`, a pair of each tool, and `spoken`, one of each English request and right tool.
 * Requests with errors of hands are left out: what has a vector is taken for a word.
 */
export function pairsOfWritten(tools, requests) {
  const byId = new Map(tools.map((tool) => [tool.id, tool]));
  const pairOf = (tool, summary) => ({
    source: 'written',
    api: `written.${tool.app.toLowerCase()}`,
    name: ownName(tool),
    summary,
    description: tool.description,
    parameters: Object.keys(tool.parameters ?? {}),
  });
  const documented = tools
    .filter(({ title, description }) => title || description)
    .map((tool) => pairOf(tool, tool.title || tool.description));
  const spoken = requests
    .filter(({ language, kind }) => language === 'en' && kind !== 'typo')
    .flatMap(({ text, tools: ids }) => ids.map((id) => pairOf(byId.get(id), text)));
  return { documented, spoken };
}
