// The public corpora for discovery, read where they are stored. Each gives tools for the index, and labelled requests.
import { existsSync, readFileSync } from 'node:fs';

const folder = new URL('../../../shared/data/discovery/', import.meta.url);
const lines = (path) =>
  readFileSync(new URL(path, folder), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

export const corpora = ['composio', 'stabletoolbench', 'sealtools', 'bfcl_live', 'metatool'];
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

/** Tools and sets of requests by name: `{ id, text, relevant }`. */
export function readCorpus(corpus) {
  const tools = lines(`${corpus}/tools.jsonl`).map(toTool(corpus));
  if (corpus !== 'composio') return { tools, sets: { [corpus]: lines(`${corpus}/queries.jsonl`) } };
  const queries = lines('composio/queries.dev.jsonl');
  return {
    tools,
    sets: {
      'composio text': queries,
      'composio text_noapp': queries
        .filter((query) => typeof query.text_noapp === 'string')
        .map((query) => ({ ...query, text: query.text_noapp })),
    },
  };
}
