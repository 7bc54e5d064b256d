/**
 * The tools that a principal can call, ready for a search. Everything in a search result, including unmatched words, is
 * derived from these only, so that denied tools have no influence on it.
 */
import { createToolIndex, type ToolIndex } from '../../discovery/index.js';
import type { ApprovalNeed } from '../../domain/approval-need.js';
import type { Connection } from '../../domain/connection.js';
import { isMetaTool } from '../../domain/discovery.js';
import type { WorkspaceConfiguration } from '../../domain/grant.js';
import type { Principal } from '../../domain/principal.js';
import type { Tool } from '../../domain/tool.js';
import { isVisible } from '../../grants/index.js';
import { isShared, type Registry } from '../../registry/index.js';
import { computedOnce } from '../../util/computed-once.js';
import { type Catalogue, decideCall, type NamedTool, withinReach } from '../calling/index.js';
import { freshWithin } from '../workspaces/index.js';
import { getDocument, toolKey } from './documents.js';
import type { FindLikeness, ToolVectors } from './embeddings/tool-vectors.js';
import type { Library } from './library.js';
import type { DiscoveryParts } from './parts.js';

export interface ReachedTool extends NamedTool {
  /** Never `denied`: tools that are denied for all arguments are not included. */
  readonly approval: ApprovalNeed;
}

export interface Reach {
  readonly configuration: WorkspaceConfiguration;
  /** At least the tools that the principal can call. */
  readonly catalogue: Catalogue;
  readonly entries: readonly ReachedTool[];
  /** By their keys in the index: a tool occurs once for each account. */
  readonly byKey: ReadonlyMap<string, readonly ReachedTool[]>;
  readonly byName: ReadonlyMap<string, ReachedTool>;
  /** By slug: the number of its tools. */
  readonly toolkits: ReadonlyMap<string, number>;
  /** Accounts that the principal could act with, by id. */
  readonly connections: ReadonlyMap<string, Connection>;
  searchable(): Promise<Searchable>;
}

/** An index, and which toolkits of it may be searched; undefined: all. */
export interface Searchable {
  readonly index: ToolIndex;
  readonly toolkits: readonly string[] | undefined;
  /** Whether it contains tools that the principal does not have. */
  readonly holdsMore: boolean;
  /** What embeddings say of the tools that the principal has; undefined: there are none. */
  readonly findLikeness: FindLikeness | undefined;
}

/** A separate index of this many tools is built faster than a person notices. */
const maxOwn = 5_000;
const maxKept = 200;
/** Maximum tools in all separate indexes together; the oldest are rebuilt on request. */
const maxInOwn = 50_000;

interface IndexParts {
  readonly registry: Registry;
  readonly library: Library;
  readonly budget: Budget;
  readonly vectors: ToolVectors | undefined;
}

export function createReaches(
  parts: Pick<DiscoveryParts, 'configurations' | 'catalogue' | 'registry'>,
  { library, vectors }: Pick<IndexParts, 'library' | 'vectors'>,
): (principal: Principal) => Promise<Reach> {
  const kept = new WeakMap<Catalogue, Map<string, Reach>>();
  const budget = createBudget(maxInOwn);

  return async (principal) => {
    const { workspaceId } = principal;
    const { catalogue, configuration } = await freshWithin(parts, workspaceId, [principal]);
    const reaches = kept.get(catalogue) ?? new Map<string, Reach>();
    kept.set(catalogue, reaches);
    const key = getKey(principal, configuration);
    const known = reaches.get(key);
    if (known) return known;
    const index = { registry: parts.registry, library, budget, vectors };
    const reach = buildReach({ principal, configuration, catalogue }, index);
    const [oldest = ''] = reaches.keys();
    if (reaches.size >= maxKept) reaches.delete(oldest);
    reaches.set(key, reach);
    return reach;
  };
}

function getKey({ kind, id, onBehalfOf, permissions, task }: Principal, configuration: WorkspaceConfiguration): string {
  const { workspaceId, revision } = configuration;
  return JSON.stringify([workspaceId, revision, kind, id, onBehalfOf?.id, permissions.includes('tools:call'), task]);
}

interface ReachBasis {
  readonly principal: Principal;
  readonly configuration: WorkspaceConfiguration;
  readonly catalogue: Catalogue;
}

function buildReach({ principal, configuration, catalogue }: ReachBasis, parts: IndexParts): Reach {
  const entries = withinReach(catalogue, configuration, principal).flatMap((entry): ReachedTool[] => {
    const { tool, connectionId } = entry;
    if (isMetaTool(tool.id)) return [];
    const { decision, approval } = decideCall({ configuration, principal, tool, connectionId });
    return decision.effect === 'deny' ? [] : [{ ...entry, approval }];
  });
  const byKey = new Map<string, ReachedTool[]>();
  const toolkits = new Map<string, number>();
  for (const entry of entries) {
    const key = toolKey(entry.tool.id);
    const same = byKey.get(key);
    if (same) same.push(entry);
    else {
      byKey.set(key, [entry]);
      toolkits.set(entry.tool.id.toolkit, (toolkits.get(entry.tool.id.toolkit) ?? 0) + 1);
    }
  }
  const connections = computedOnce(() => {
    const visible = configuration.connections.filter((one) => one.status === 'active' && isVisible(one, principal));
    return new Map(visible.map((connection) => [connection.id, connection]));
  });
  let searchable: Promise<Searchable> | undefined;
  return {
    configuration,
    catalogue,
    entries,
    byKey,
    toolkits,
    byName: new Map(entries.map((entry) => [entry.name, entry])),
    get connections() {
      return connections();
    },
    searchable() {
      const forget = (): void => {
        searchable = undefined;
      };
      searchable ??= makeSearchable(byKey, toolkits, parts, forget);
      searchable.catch(forget);
      return searchable;
    },
  };
}

interface Budget {
  /** Reserves room for `size` tools; if there is none, the oldest holders give theirs back. */
  take(size: number, giveBack: () => void): void;
}

function createBudget(most: number): Budget {
  const taken: { readonly size: number; readonly giveBack: () => void }[] = [];
  let sum = 0;
  return {
    take(size, giveBack) {
      taken.push({ size, giveBack });
      sum += size;
      while (sum > most && taken.length > 1) {
        const oldest = taken.shift();
        sum -= oldest?.size ?? 0;
        oldest?.giveBack();
      }
    },
  };
}

/** The shared index if whole toolkits are available. Part of a toolkit gets a separate index with only those tools. */
async function makeSearchable(
  byKey: ReadonlyMap<string, readonly ReachedTool[]>,
  toolkits: ReadonlyMap<string, number>,
  { registry, library, budget, vectors }: IndexParts,
  forget: () => void,
): Promise<Searchable> {
  const slugs = [...toolkits.keys()];
  const titles = new Map<string, string>();
  const shared = new Set<string>();
  for (const toolkit of await registry.toolkits()) {
    titles.set(toolkit.slug, toolkit.title);
    if (isShared(toolkit)) shared.add(toolkit.slug);
  }
  const areShared = slugs.every((slug) => shared.has(slug) || !titles.has(slug));
  const tools = [...byKey.values()].flatMap(([entry]) => (entry ? [entry.tool] : []));
  const titleOf = (tool: Tool) => titles.get(tool.id.toolkit) ?? '';
  // What is listed for one account only does not leave this machine.
  const open = tools.filter(({ id }) => shared.has(id.toolkit));
  const findLikeness = vectors?.likenessAmong(open.map((tool) => [tool, titleOf(tool)]));
  let areWhole = true;
  if (areShared)
    for (const [slug, count] of toolkits) if ((await registry.tools(slug)).length !== count) areWhole = false;
  if (areShared && (areWhole || byKey.size > maxOwn)) {
    await library.ensure(slugs);
    return { index: await library.index, toolkits: slugs, holdsMore: !areWhole, findLikeness };
  }
  budget.take(byKey.size, forget);
  const index = await createToolIndex(tools.map((tool) => getDocument(tool, titleOf(tool))));
  return { index, toolkits: undefined, holdsMore: false, findLikeness };
}
