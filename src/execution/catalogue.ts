/** The tools of a workspace by every form of their names, built once for a set of tools. */
import { canonicalToolName, createNameIndex, modelNames } from '../spec/naming/index.js';
import type { Provider } from '../spec/provider.js';
import type { Tool } from '../spec/tool.js';
import type { Catalogue, NamedTool } from './parts.js';

export function createCatalogue(registrations: readonly { tool: Tool; provider: Provider }[]): Catalogue {
  const named = modelNames(registrations.map(({ tool, provider }) => ({ id: tool.id, tool, provider })));
  const entries = [...named].map(([name, { tool, provider }]): NamedTool => ({ name, tool, provider }));
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  const byId = new Map(entries.map((entry) => [`${entry.tool.id.toolkit}\n${entry.tool.id.name}`, entry]));
  const index = createNameIndex(registrations.map(({ tool }) => tool.id));

  return {
    entries,
    find(name) {
      const known = byName.get(name) ?? byName.get(canonicalToolName(name));
      if (known) return known;
      const id = index.parse(name) ?? splitDotted(name);
      return id && byId.get(`${id.toolkit}\n${id.name}`);
    },
  };
}

/** `math.calculate`, as the record writes it. */
function splitDotted(name: string): { toolkit: string; name: string } | undefined {
  const dot = name.indexOf('.');
  return dot < 0 ? undefined : { toolkit: name.slice(0, dot), name: name.slice(dot + 1) };
}
