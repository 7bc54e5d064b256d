// The training catalogue: operations as tools, some with a description and parameters, some with only a name, as in real
// catalogues. The text that a request is made from is not in the text of its tool, or not in the same words.
import { createLuck } from './luck.js';

const titleOf = (api) => {
  const [domain, service] = api.split('/');
  const label =
    service ??
    domain
      .replace(/\.(?:com|org|net|io|local|co|dev|ai|app|eu|de|uk|gov|us)(?:\.\w+)?$/, '')
      .split('.')
      .at(-1);
  return label
    .split(/[-_ ]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join(' ');
};

/** Tools, with the text that requests for them are made from, as `{ id, toolkit, title, name, description, parameters, query }`. */
export function readCatalogue(pairs, seed) {
  const luck = createLuck(seed);
  const seen = new Set();
  const tools = [];
  for (const pair of pairs) {
    const id = `${pair.api} ${pair.name}`;
    if (seen.has(id)) continue;
    seen.add(id);
    tools.push({ id, ...toTool(pair, luck) });
  }
  return tools;
}

function toTool({ api, name, summary, description, parameters }, luck) {
  const title = titleOf(api);
  const two = summary !== '' && description !== '' && !description.startsWith(summary.replace(/\.$/, ''));
  const query = two && luck.chance(0.3) ? description : summary || description;
  const other = two ? (query === summary ? description : summary) : '';
  const fate = luck.next();
  // Half of the tools have only a name. If there is only one text, it is used for both, and the request is varied more.
  const hides = fate < 0.45 ? 'description' : two ? 'words' : 'none';
  const shown = hides === 'description' ? '' : hides === 'words' ? other : query;
  return {
    toolkit: api,
    title,
    name,
    query,
    hides,
    description: shown,
    parameters: hides === 'description' || luck.chance(0.3) ? [] : parameters,
  };
}
