// The public corpora for discovery, read where they are stored, and requests that were written for Helve. Each gives tools for
// the index, and labelled requests.
import { existsSync, readFileSync } from 'node:fs';
import { bundledRequests } from './bundled-requests.js';
import { fromDist } from './dist.js';
import { freshRequests } from './fresh-requests.js';
import { integrationRequests } from './integration-requests.js';
import { withTypos } from './typos.js';

const folder = new URL('../../../shared/data/discovery/', import.meta.url);
const heldOut = new URL('../../scripts/discovery/requests/held-out.jsonl', import.meta.url);
const linesOf = (url) =>
  readFileSync(url, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
const lines = (path) => linesOf(new URL(path, folder));

export const benchmarks = ['stabletoolbench', 'sealtools', 'bfcl_live', 'metatool'];
export const corpora = ['composio', 'written', 'bundled', 'integrations', ...benchmarks];
export const isHere = () => existsSync(folder);

/** `toolkit` is the slug; a corpus without apps is one toolkit. */
const toTool = (corpus) => (row) => ({
  id: row.id,
  toolkit: corpus === 'composio' ? row.app.toLowerCase() : row.app || corpus,
  toolkitName: row.app_name ?? (row.app || corpus),
  name: corpus === 'composio' ? row.name.slice(row.app.length + 1).toLowerCase() : row.name,
  description: [row.title, row.description].filter(Boolean).join('. '),
  parameters: row.parameters,
});

const accounts = new Set(['google_gmail', 'google_workspace', 'github', 'linear', 'slack', 'stripe']);

/** Tools that an installation has before any account is connected, and Telegram and SMTP. */
export const readBundled = () => readNative((slug) => !accounts.has(slug));

/** Tools of native toolkits; meta-tools are never found. */
async function readNative(isWanted) {
  const { nativeToolkits } = await fromDist('toolkits/index.js');
  const loaded = await Promise.all(
    nativeToolkits
      .filter(({ slug }) => slug !== 'discovery' && isWanted(slug))
      .map(async (toolkit) => ({ ...toolkit, tools: await toolkit.load() })),
  );
  return loaded.flatMap(({ slug, title, tools }) =>
    tools.map(({ name, description, searchWords, inputSchema }) => ({
      id: `${slug}/${name}`,
      toolkit: slug,
      toolkitName: title,
      name,
      description,
      searchWords,
      parameters: Object.fromEntries(Object.keys(inputSchema.shape ?? {}).map((key) => [key, {}])),
    })),
  );
}

const readers = {
  composio() {
    const queries = lines('composio/queries.dev.jsonl');
    const unnamed = queries
      .filter((query) => typeof query.text_noapp === 'string')
      .map((query) => ({ ...query, text: query.text_noapp }));
    return {
      'composio text': queries,
      'composio text_noapp': unnamed,
      'composio text, one typo': withTypos(queries, 1),
      'composio text, two typos': withTypos(queries, 2),
    };
  },
  written() {
    const written = linesOf(heldOut).map((request) => ({ ...request, relevant: request.tools }));
    const only = (of) => written.filter(of);
    const english = only(({ language, kind }) => language === 'en' && kind !== 'several' && kind !== 'typo');
    return {
      written,
      'written, app named': only(({ app }) => app === 'named'),
      'written, app not named': only(({ app }) => app === 'unnamed'),
      'written, several acts': only(({ kind }) => kind === 'several'),
      'written, typos of hands': only(({ kind }) => kind === 'typo'),
      'written, English, one act': english,
      'written, English, two typos': withTypos(english, 2),
      'written, other languages': only(({ language }) => language !== 'en'),
    };
  },
  bundled: () => ({
    'bundled, everyday': bundledRequests,
    'bundled, one typo': withTypos(bundledRequests, 1),
    'bundled, fresh': freshRequests,
  }),
  integrations: () => ({
    'integrations, everyday': integrationRequests,
    'integrations, one typo': withTypos(integrationRequests, 1),
    'integrations, requests for bundled tools': bundledRequests,
  }),
};

/** Tools and sets of requests by name: `{ text, relevant }`. Apart from the benchmarks, they are put to real catalogues. */
export async function readCorpus(corpus) {
  if (corpus === 'bundled') return { tools: await readBundled(), sets: readers.bundled() };
  if (corpus === 'integrations') return { tools: await readNative(() => true), sets: readers.integrations() };
  const from = corpus === 'written' ? 'composio' : corpus;
  const tools = lines(`${from}/tools.jsonl`).map(toTool(from));
  return { tools, sets: readers[corpus]?.() ?? { [corpus]: lines(`${corpus}/queries.jsonl`) } };
}
