/**
 * The tools of a workspace by every form of their names, built once per set of tools and connections. A tool that acts
 * with an account occurs once per connection, under the connection's slug.
 */
import type { Connection } from '../../domain/connection.js';
import { buildNameIndex, canonicalToolName, modelNames, slugify } from '../../domain/naming/index.js';
import type { Provider } from '../../domain/provider.js';
import type { Tool } from '../../domain/tool.js';
import { computedOnce } from '../../util/computed-once.js';
import { defined } from '../../util/defined.js';
import { atOnce, inSlices, type Sliced } from '../../util/slices.js';
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
export function* createCatalogue(tools: readonly CatalogueTool[]): Sliced<Catalogue> {
  const names = yield* modelNames(listRows(tools));
  const entries: NamedTool[] = [];
  for (const [name, row] of names) {
    entries.push(nameRow(name, row));
    yield;
  }
  return indexEntries(
    entries,
    tools.map(({ tool }) => tool),
  );
}

function* listRows(tools: readonly CatalogueTool[]): Generator<Row> {
  for (const { tool, provider, connections, toolkitTitle } of tools) {
    const row: Row = { id: tool.id, tool, provider, ...defined({ toolkitTitle }) };
    const slug = connections ? '' : slugWithout({ tool, provider });
    if (!connections) yield slug === '' ? row : { ...row, slug };
    else
      for (const { id: connectionId, slug: ofAccount } of connections) yield { ...row, connectionId, slug: ofAccount };
  }
}

/** The slug that starts the name of a tool without an account: its toolkit's, or none for our own tools. */
export function slugWithout({ tool, provider }: Pick<CatalogueTool, 'tool' | 'provider'>): string {
  return provider.kind === 'native' ? '' : slugify(tool.id.toolkit);
}

/**
 * Joins catalogues that have no slug in common, in the order that their entries have in the catalogue of all their tools. `toolkits` and
 * `accounts`: the position of each, by slug and by id.
 */
export function joinCatalogues(
  parts: readonly Catalogue[],
  {
    toolkits,
    accounts,
  }: { readonly toolkits: ReadonlyMap<string, number>; readonly accounts: ReadonlyMap<string, number> },
): Catalogue {
  const tools = new Map<Tool, number>();
  for (const { entries } of parts) for (const { tool } of entries) if (!tools.has(tool)) tools.set(tool, tools.size);
  const ranked = parts.flatMap(({ entries }) =>
    entries.map((entry) => ({
      entry,
      toolkit: toolkits.get(entry.tool.id.toolkit) ?? 0,
      // Within a toolkit, tools whose accounts another provider stores come last.
      hosted: entry.connectionId !== undefined && entry.provider.accounts !== undefined ? 1 : 0,
      tool: tools.get(entry.tool) ?? 0,
      account: accounts.get(entry.connectionId ?? '') ?? 0,
    })),
  );
  ranked.sort((a, b) => a.toolkit - b.toolkit || a.hosted - b.hosted || a.tool - b.tool || a.account - b.account);
  return indexEntries(
    ranked.map(({ entry }) => entry),
    [...tools.keys()],
  );
}

/** `tools`: the tools of the entries, and possibly others without an entry. */
function indexEntries(entries: readonly NamedTool[], tools: readonly Tool[]): Catalogue {
  const byName = new Map<string, NamedTool>();
  for (const entry of entries) byName.set(entry.name, entry);
  const places = computedOnce(() => findPlaces(entries));
  let otherForms: OtherForms | undefined;
  const indexing = computedOnce(() => inSlices(indexOtherForms(tools, entries)));
  const matchOtherForm = (name: string): readonly NamedTool[] => {
    otherForms ??= atOnce(indexOtherForms(tools, entries));
    return otherForms(name);
  };
  const named = (name: string): NamedTool | undefined => byName.get(name) ?? byName.get(canonicalToolName(name));
  const match = (name: string): readonly NamedTool[] => {
    // A name that contains an account's slug means that account or none, never another.
    const known = named(name);
    return known ? [known] : matchOtherForm(name);
  };
  const at = (positions: readonly number[]): readonly NamedTool[] =>
    positions.flatMap((position) => entries[position] ?? []);
  return {
    entries,
    sorted: computedOnce(() => entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))),
    of: (toolkit, connectionId) => at(places().byTarget.get(targetKey(toolkit, connectionId)) ?? []),
    findIn(toolkit, connectionId, name) {
      for (const position of places().byTarget.get(targetKey(toolkit, connectionId)) ?? []) {
        const entry = entries[position];
        if (entry?.tool.id.name === name) return entry;
      }
      return undefined;
    },
    select(targets) {
      const { intrinsic, byTarget } = places();
      const positions = targets.flatMap(
        ({ toolkit, connectionId }) => byTarget.get(targetKey(toolkit, connectionId)) ?? [],
      );
      return at([...new Set([...intrinsic, ...positions])].sort((one, other) => one - other));
    },
    hasName: (name) => named(name) !== undefined,
    async prepareMatch(name) {
      if (named(name) === undefined) otherForms ??= await indexing();
    },
    match,
    find(name) {
      const [found, ...others] = match(name);
      return others.length === 0 ? found : undefined;
    },
  };
}

function nameRow(name: string, { tool, provider, connectionId, slug, toolkitTitle }: Row): NamedTool {
  // Most entries have all of these: a workspace can have very many, and one literal is made fastest.
  if (connectionId !== undefined && slug !== undefined && toolkitTitle !== undefined)
    return { name, tool, provider, connectionId, slug, toolkitTitle };
  return { name, tool, provider, ...defined({ connectionId, slug, toolkitTitle }) };
}

type OtherForms = (name: string) => readonly NamedTool[];

/** Finds entries by every form of a name except the one that models are given. Most catalogues never need this. */
function* indexOtherForms(tools: readonly Tool[], entries: readonly NamedTool[]): Sliced<OtherForms> {
  const byId = new Map<string, NamedTool[]>();
  const byToolName = new Map<string, NamedTool[]>();
  for (const entry of entries) {
    const { toolkit, name } = entry.tool.id;
    addTo(byId, `${toolkit}\n${name}`, entry);
    addTo(byToolName, name, entry);
    yield;
  }
  const index = yield* buildNameIndex(tools.map(({ id }) => id));
  // The slug of a toolkit can have been that of one of its accounts, whose name means no other one.
  const withoutAccount = entries.filter(({ connectionId }) => connectionId === undefined);
  const toolkits = new Map(withoutAccount.map(({ tool: { id } }) => [slugify(id.toolkit), id.toolkit]));
  const toolkitOfSlug = (slug: string): string | undefined => toolkits.get(slug);
  return (name) => {
    const id = index.parse(name, { toolkitOfSlug }) ?? splitDotted(name);
    if (id !== undefined) return byId.get(`${id.toolkit}\n${id.name}`) ?? [];
    // Tools of several toolkits may share a name, such as `create_issue`.
    return byToolName.get(canonicalToolName(name)) ?? [];
  };
}

/** Positions in the list of entries. */
interface Places {
  readonly byTarget: ReadonlyMap<string, readonly number[]>;
  readonly intrinsic: readonly number[];
}

function findPlaces(entries: readonly NamedTool[]): Places {
  const byTarget = new Map<string, number[]>();
  const intrinsic: number[] = [];
  for (const [position, { tool, connectionId }] of entries.entries()) {
    addTo(byTarget, targetKey(tool.id.toolkit, connectionId), position);
    if (tool.intrinsic) intrinsic.push(position);
  }
  return { byTarget, intrinsic };
}

function targetKey(toolkit: string, connectionId: string | undefined): string {
  return `${connectionId ?? ''}\n${toolkit}`;
}

function addTo<Item>(lists: Map<string, Item[]>, key: string, entry: Item): void {
  const list = lists.get(key);
  if (list) list.push(entry);
  else lists.set(key, [entry]);
}

/** Splits `math.calculate`, the form of the audit record. */
function splitDotted(name: string): { toolkit: string; name: string } | undefined {
  const dot = name.indexOf('.');
  return dot < 0 ? undefined : { toolkit: name.slice(0, dot), name: name.slice(dot + 1) };
}
