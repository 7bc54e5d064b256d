// Writes kept-out.json from the folder of measurements: node scripts/discovery/list-kept-out.js FOLDER
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hashOf } from './kept-out.js';
import { squash } from './words.js';

const lines = (path) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

/** Apps whose API has another name. */
const otherNames = { outlook: ['Microsoft Graph'] };
const benchmarks = ['bfcl_live', 'metatool', 'sealtools', 'stabletoolbench'];

/** `{ apps, texts }` in plain text: names and texts that no training input may have. */
export function namesToKeepOut(folder) {
  const tools = new Map(lines(join(folder, 'composio/tools.jsonl')).map((tool) => [tool.id, tool]));
  const queries = lines(join(folder, 'composio/queries.dev.jsonl'));
  const apps = new Set();
  const texts = new Set();
  for (const query of queries) {
    for (const text of [query.text, query.text_noapp]) if (text) texts.add(text);
    for (const id of [...query.relevant, ...(query.optional ?? [])]) {
      const tool = tools.get(id);
      if (tool === undefined) continue;
      for (const name of [tool.app, tool.app_name]) {
        apps.add(name);
        // Discord's bot is kept out as Discord, too.
        apps.add(squash(name).replace(/bot$/, ''));
        for (const other of otherNames[squash(name)] ?? []) apps.add(other);
      }
      texts.add(id);
    }
  }
  for (const benchmark of benchmarks) {
    for (const tool of lines(join(folder, benchmark, 'tools.jsonl'))) {
      texts.add(tool.name);
      if (tool.app) texts.add(`${tool.app} ${tool.name}`);
    }
    for (const { text } of lines(join(folder, benchmark, 'queries.jsonl'))) texts.add(text);
  }
  return { apps: [...apps], texts: [...texts] };
}

const hashes = (names) => [...new Set(names.map(hashOf))].filter((hash) => hash !== '').sort();

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = process.argv[2];
  if (folder === undefined || !existsSync(folder)) throw new Error('Name the folder of measurements');
  const { apps, texts } = namesToKeepOut(folder);
  const list = { apps: hashes(apps), texts: hashes(texts) };
  writeFileSync(new URL('kept-out.json', import.meta.url), `${JSON.stringify(list, undefined, 1)}\n`);
  console.log(`${list.apps.length} apps, ${list.texts.length} texts`);
}
