/**
 * The tools of a workspace by every form of their names, built once per set of tools and connections. A tool that acts
 * with an account occurs once per connection, under the connection's slug.
 */
import type { Connection } from '../../domain/connection.js';
import { canonicalToolName, createNameIndex, modelNames, slugify } from '../../domain/naming/index.js';
import type { Provider } from '../../domain/provider.js';
import type { Tool } from '../../domain/tool.js';
import { defined } from '../../util/defined.js';
import type { Catalogue, NamedTool } from './parts.js';

export interface CatalogueTool {
  readonly tool: Tool;
  readonly provider: Provider;
  /** The accounts that it can act with; undefined if it needs none. */
  readonly connections?: readonly Connection[];
  /** The display name of its toolkit. */
  readonly toolkitTitle?: string;
}

type Row = Omit<NamedTool, 'name'> & Pick<Tool, 'id'>;

/** Builds the catalogue of these tools. Each tool with accounts gets one entry per account. */
export function createCatalogue(tools: readonly CatalogueTool[]): Catalogue {
  const rows = tools.flatMap(({ tool, provider, connections, toolkitTitle }): Row[] => {
    const row: Row = { id: tool.id, tool, provider, ...defined({ toolkitTitle }) };
    // An external tool without an account is listed under its toolkit's name: bare names are ours.
    if (!connections) return [provider.kind === 'native' ? row : { ...row, slug: slugify(tool.id.toolkit) }];
    return connections.map(({ id: connectionId, slug }) => ({ ...row, connectionId, slug }));
  });
  const entries = [...modelNames(rows)].map(([name, { id: _id, ...entry }]): NamedTool => ({ name, ...entry }));
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  const byId = new Map<string, NamedTool[]>();
  const byToolName = new Map<string, NamedTool[]>();
  for (const entry of entries) {
    const { toolkit, name } = entry.tool.id;
    addTo(byId, `${toolkit}\n${name}`, entry);
    addTo(byToolName, name, entry);
  }
  const index = createNameIndex(tools.map(({ tool }) => tool.id));
  const toolkits = new Map(tools.map(({ tool }) => [slugify(tool.id.toolkit), tool.id.toolkit]));
  const toolkitOfSlug = (slug: string): string | undefined => toolkits.get(slug);
  const match = (name: string): readonly NamedTool[] => {
    // A name that contains an account's slug means that account or none, never another.
    const known = byName.get(name) ?? byName.get(canonicalToolName(name));
    if (known) return [known];
    const id = index.parse(name, { toolkitOfSlug }) ?? splitDotted(name);
    if (id !== undefined) return byId.get(`${id.toolkit}\n${id.name}`) ?? [];
    // Tools of several toolkits may share a name, such as `create_issue`.
    return byToolName.get(canonicalToolName(name)) ?? [];
  };
  return {
    entries,
    match,
    find(name) {
      const [found, ...others] = match(name);
      return others.length === 0 ? found : undefined;
    },
  };
}

function addTo(lists: Map<string, NamedTool[]>, key: string, entry: NamedTool): void {
  const list = lists.get(key);
  if (list) list.push(entry);
  else lists.set(key, [entry]);
}

/** Splits `math.calculate`, the form of the audit record. */
function splitDotted(name: string): { toolkit: string; name: string } | undefined {
  const dot = name.indexOf('.');
  return dot < 0 ? undefined : { toolkit: name.slice(0, dot), name: name.slice(dot + 1) };
}
