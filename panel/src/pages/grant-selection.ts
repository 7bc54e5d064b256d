/** Which tools are chosen for an agent: what differs from what is saved, and the set that replaces it. */
import type { Reply } from '../server/request.js';

export type Grants = Reply<'GET /api/agents/:agent/grants'>;
export type Entry = Grants['entries'][number];
export type Tool = Entry['tools'][number];
type Grant = Grants['grants'][number];
type SentGrant = Omit<Grant, 'id' | 'agentId' | 'account'>;

/** What the page of an agent asks for; few words are enough to choose by. */
export const askGrants = (slug: string) => ({
  params: { agent: slug },
  query: { descriptions: 'short' as const },
});

/** The model-facing names of the tools that are granted now. */
export function listGranted({ entries }: Grants): ReadonlySet<string> {
  return new Set(
    entries.flatMap(({ tools }) => tools.filter(({ granted }) => granted).map(({ modelName }) => modelName)),
  );
}

/** What saving would change, as model-facing names. */
export function compareSelection(grants: Grants, selected: ReadonlySet<string>) {
  const before = listGranted(grants);
  return {
    added: [...selected].filter((name) => !before.has(name)).sort(),
    removed: [...before].filter((name) => !selected.has(name)).sort(),
  };
}

/**
 * The whole set to send. A grant whose tools did not change, or whose app is not in the list, stays exactly as it is; any
 * other keeps the limits and settings of the tools that stay.
 */
export function buildGrants(grants: Grants, selected: ReadonlySet<string>): SentGrant[] {
  const isSame = (grant: Grant, entry: Entry) =>
    grant.toolkit === entry.toolkit.slug && grant.connectionId === entry.connectionId;
  const unlisted = grants.grants.filter((grant) => !grants.entries.some((entry) => isSame(grant, entry)));
  const listed = grants.entries.flatMap((entry) => {
    const saved = grants.grants.filter((grant) => isSame(grant, entry));
    const chosen = entry.tools.filter(({ modelName }) => selected.has(modelName));
    if (entry.tools.every(({ granted, modelName }) => granted === selected.has(modelName))) return saved;
    return chosen.length === 0 ? [] : [replaceTools(entry, saved, chosen)];
  });
  return [...unlisted, ...listed].map(({ toolkit, connectionId, tools, limits, config }) => ({
    toolkit,
    tools,
    limits,
    config,
    ...(connectionId === undefined ? {} : { connectionId }),
  }));
}

function replaceTools(entry: Entry, saved: readonly Grant[], chosen: readonly Tool[]): SentGrant {
  const names = chosen.map(({ name }) => name);
  const keep = <Value>(values: Record<string, Value>) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
  return {
    toolkit: entry.toolkit.slug,
    tools: names,
    limits: keep(Object.assign({}, ...saved.map(({ limits }) => limits))),
    config: keep(Object.assign({}, ...saved.map(({ config }) => config))),
    ...(entry.connectionId === undefined ? {} : { connectionId: entry.connectionId }),
  };
}

/** The tools of an entry by group: the group that the toolkit names, or else the object of the first capability. */
export function groupTools(tools: readonly Tool[]): ReadonlyMap<string, readonly Tool[]> {
  const groups = new Map<string, Tool[]>();
  for (const tool of tools) {
    const name = tool.group ?? tool.capabilities[0]?.split(' ').slice(1).join(' ') ?? '';
    groups.set(name, [...(groups.get(name) ?? []), tool]);
  }
  return groups;
}
