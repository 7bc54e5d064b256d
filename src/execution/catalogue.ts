/**
 * The tools of a workspace by every form of their names, built once for a set of tools and connections. A tool that acts
 * with an account stands there once for each connection, under its slug.
 */
import type { Connection } from '../spec/connection.js';
import { canonicalToolName, createNameIndex, modelNames, slugify } from '../spec/naming/index.js';
import type { Provider } from '../spec/provider.js';
import type { Tool } from '../spec/tool.js';
import type { Catalogue, NamedTool } from './parts.js';

export interface CatalogueTool {
  readonly tool: Tool;
  readonly provider: Provider;
  /** The accounts that it acts with; undefined: it needs none. */
  readonly connections?: readonly Connection[];
}

type Row = Omit<NamedTool, 'name'> & Pick<Tool, 'id'>;

export function createCatalogue(tools: readonly CatalogueTool[]): Catalogue {
  const rows = tools.flatMap(({ tool, provider, connections }): Row[] => {
    const row: Row = { id: tool.id, tool, provider };
    // A stranger's tool without an account stands under its toolkit's name: bare names are ours.
    if (!connections) return [provider.kind === 'native' ? row : { ...row, slug: slugify(tool.id.toolkit) }];
    return connections.map(({ id: connectionId, slug }) => ({ ...row, connectionId, slug }));
  });
  const entries = [...modelNames(rows)].map(([name, { id: _id, ...entry }]): NamedTool => ({ name, ...entry }));
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  const byId = new Map<string, NamedTool[]>();
  for (const entry of entries) {
    const key = `${entry.tool.id.toolkit}\n${entry.tool.id.name}`;
    const same = byId.get(key);
    if (same) same.push(entry);
    else byId.set(key, [entry]);
  }
  const index = createNameIndex(tools.map(({ tool }) => tool.id));
  const toolkits = new Map(tools.map(({ tool }) => [slugify(tool.id.toolkit), tool.id.toolkit]));
  const toolkitOfSlug = (slug: string): string | undefined => toolkits.get(slug);
  return {
    entries,
    find(name, admits = () => true) {
      const known = byName.get(name) ?? byName.get(canonicalToolName(name));
      // An account that was asked for by its slug is that one or none, never another.
      if (known) return admits(known) ? known : undefined;
      const id = index.parse(name, { toolkitOfSlug }) ?? splitDotted(name);
      const found = id === undefined ? [] : (byId.get(`${id.toolkit}\n${id.name}`) ?? []).filter(admits);
      // A form without a slug names no account: with several, only the model's form says which.
      return found.length === 1 ? found[0] : undefined;
    },
  };
}

/** `math.calculate`, as the record writes it. */
function splitDotted(name: string): { toolkit: string; name: string } | undefined {
  const dot = name.indexOf('.');
  return dot < 0 ? undefined : { toolkit: name.slice(0, dot), name: name.slice(dot + 1) };
}
