/**
 * Which tools exist. Each provider is asked once per toolkit, and the answer is cached. If several providers offer the
 * same toolkit, the one with the highest priority wins for each tool, so a tool that only a lower one has is still
 * offered.
 *
 * A provider that stores accounts itself (`Provider.accounts`) acts with no others: its sign-in methods are listed next
 * to the toolkit's own, and the account of a call decides which provider's tool is called.
 */

import { HelveError } from '../domain/errors.js';
import type { HostedAccounts, Provider, UnofferedTool } from '../domain/provider.js';
import type { ProviderKind } from '../domain/provider-kind.js';
import type { Tool, Toolkit } from '../domain/tool.js';
import { createPatience } from './patience.js';

export interface Registration {
  readonly tool: Tool;
  readonly provider: Provider;
}

export interface Registry {
  /** Adds a provider; existing callers see its tools from now on. */
  register(provider: Provider): void;
  /**
   * Increases with every `register` and every change that a provider reports, so that what was built from a listing can
   * tell that it is stale.
   */
  readonly generation: number;
  toolkits(): Promise<readonly Toolkit[]>;
  findToolkit(slug: string): Promise<Toolkit | undefined>;
  /**
   * Loads the toolkit on first use. `workspaceId`: the workspace, for toolkits that list tools per account; without it
   * these have no tools.
   */
  tools(toolkit: string, workspaceId?: string): Promise<readonly Registration[]>;
  /**
   * The same for a list of many toolkits, which one slow server must not block: a toolkit that is still being read
   * after a short while has no tools yet, and `generation` increases when it is ready. Throws the error of a toolkit
   * that could not be read; lists do not retry it before a pause has passed, which grows with each failure. If a provider
   * reports a change during the pause, `generation` increases when it ends.
   */
  toolsSoon(toolkit: string, workspaceId?: string): Promise<readonly Registration[]>;
  /** Whether the toolkit is still being read after a list stopped waiting for it. */
  isLate(toolkit: string, workspaceId?: string): Promise<boolean>;
  /** Calls `listener` shortly after `generation` has increased. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void;
  /** The tools of one provider, even if other providers have them too. */
  toolsOf(toolkit: string, provider: ProviderKind): Promise<readonly Registration[]>;
  /**
   * The tools that the toolkit's sources have but do not offer to the workspace, each with the reason, as far as they have been read.
   */
  unoffered(toolkit: string, workspaceId: string): Promise<readonly UnofferedTool[]>;
  /** The accounts stored by a provider of that kind. */
  host(kind: ProviderKind): HostedAccounts | undefined;
  /** Loads every tool of every toolkit that is not on demand. */
  all(): Promise<readonly Registration[]>;
  byCategory(category: string): Promise<readonly Registration[]>;
  find(toolkit: string, name: string, workspaceId?: string): Promise<Registration | undefined>;
  /** Throws `tool_not_found`. */
  get(toolkit: string, name: string): Promise<Registration>;
  close(): Promise<void>;
}

/**
 * Whether all workspaces may see the toolkit: tools that a server lists for an account are only for that account's
 * workspace.
 */
export function isShared({ provider, needsConnection }: Pick<Toolkit, 'provider' | 'needsConnection'>): boolean {
  return !(provider === 'mcp' && needsConnection);
}

/** The order of providers of one toolkit: native first, then providers for a single service, then the broad catalogue. */
const priority: Readonly<Record<ProviderKind, number>> = { native: 0, openapi: 1, mcp: 1, composio: 2 };

const byPriority = (a: Provider, b: Provider): number => priority[a.kind] - priority[b.kind];

interface Listing {
  readonly toolkits: readonly Toolkit[];
  readonly bySlug: ReadonlyMap<string, Toolkit>;
}

export interface RegistryOptions {
  /** Milliseconds that a list waits for one toolkit. Default 3,000. */
  readonly patienceMs?: number;
}

const defaultPatienceMs = 3_000;
/** Several toolkits that become ready together count as one change. */
const tellMs = 200;

/** Creates a registry of these providers, in any order; their priority depends on their kind. */
export function createRegistry(
  providers: readonly Provider[],
  { patienceMs = defaultPatienceMs }: RegistryOptions = {},
): Registry {
  const ordered = [...providers].sort(byPriority);
  const loaded = new Map<string, Promise<readonly Registration[]>>();
  const listed = createListing(ordered);
  const changes = createChanges();
  const patience = createPatience(patienceMs, changes.rise);
  const follow = (provider: Provider) => provider.onChange?.(renew);

  function renew(): void {
    listed.forget();
    loaded.clear();
    patience.changed();
    changes.rise();
  }

  async function toList(toolkit: string, workspaceId: string | undefined) {
    const whose = whoseList((await listed.get()).bySlug.get(toolkit), workspaceId);
    return { whose, key: JSON.stringify([toolkit, whose]) };
  }

  /** The tools of every provider, in order of priority. */
  async function load(toolkit: string, workspaceId: string | undefined): Promise<readonly Registration[]> {
    const { key, whose } = await toList(toolkit, workspaceId);
    const promise = loaded.get(key) ?? orForget(loadTools(ordered, toolkit, whose), () => loaded.delete(key));
    loaded.set(key, promise);
    return promise;
  }

  const registry: Registry = {
    get generation() {
      return changes.generation;
    },
    register(provider) {
      ordered.push(provider);
      ordered.sort(byPriority);
      follow(provider);
      renew();
    },
    toolkits: async () => (await listed.get()).toolkits,
    findToolkit: async (slug) => (await listed.get()).bySlug.get(slug),
    tools: async (toolkit, workspaceId) => best(await load(toolkit, workspaceId)),
    async toolsSoon(toolkit, workspaceId) {
      const { key } = await toList(toolkit, workspaceId);
      // Our own code is on this disk: on a busy machine it takes longer to load, but no service keeps the list waiting.
      if ((await registry.findToolkit(toolkit))?.provider === 'native') return registry.tools(toolkit, workspaceId);
      return (await patience.wait(key, () => registry.tools(toolkit, workspaceId))) ?? [];
    },
    isLate: async (toolkit, workspaceId) => patience.isLate((await toList(toolkit, workspaceId)).key),
    onChange: changes.onChange,
    toolsOf: async (toolkit, kind) => (await load(toolkit, undefined)).filter(({ provider }) => provider.kind === kind),
    unoffered: (toolkit, workspaceId) => findUnoffered(ordered, toolkit, workspaceId),
    host: (kind) => ordered.find((provider) => provider.kind === kind)?.accounts,
    all: () => toolsOfToolkits(registry, () => true),
    byCategory: (category) => toolsOfToolkits(registry, (toolkit) => toolkit.category === category),
    find: async (toolkit, name, whose) => named(await registry.tools(toolkit, whose), name),
    get: async (toolkit, name) => required(await registry.find(toolkit, name), `${toolkit}.${name}`),
    async close() {
      changes.close();
      patience.close();
      await Promise.all(ordered.map((provider) => provider.close()));
    },
  };

  ordered.forEach(follow);
  return registry;
}

/** The providers' toolkits, read once until they are forgotten. */
function createListing(ordered: readonly Provider[]) {
  let listed: Promise<Listing> | undefined;
  const forget = (): void => {
    listed = undefined;
  };
  const get = (): Promise<Listing> => {
    listed ??= orForget(listToolkits(ordered), forget);
    return listed;
  };
  return { get, forget };
}

/** Counts changes of the tools and notifies listeners. */
function createChanges() {
  const listeners = new Set<() => void>();
  let generation = 0;
  let telling: NodeJS.Timeout | undefined;
  return {
    get generation() {
      return generation;
    },
    rise(): void {
      generation += 1;
      if (listeners.size === 0) return;
      telling ??= setTimeout(() => {
        telling = undefined;
        for (const listener of [...listeners]) listener();
      }, tellMs).unref();
    },
    onChange(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close(): void {
      clearTimeout(telling);
      listeners.clear();
    },
  };
}

async function findUnoffered(
  ordered: readonly Provider[],
  toolkit: string,
  workspaceId: string,
): Promise<readonly UnofferedTool[]> {
  return (await Promise.all(ordered.map((provider) => provider.unoffered?.(toolkit, workspaceId) ?? []))).flat();
}

function required(found: Registration | undefined, name: string): Registration {
  if (found) return found;
  throw new HelveError('tool_not_found', `There is no tool ${name}`);
}

function named(registrations: readonly Registration[], name: string): Registration | undefined {
  return registrations.find(({ tool }) => tool.id.name === name);
}

/** The workspace that a list is for; undefined if it is the same for all. */
function whoseList(toolkit: Toolkit | undefined, workspaceId: string | undefined): string | undefined {
  return toolkit && !isShared(toolkit) ? workspaceId : undefined;
}

async function toolsOfToolkits(
  registry: Pick<Registry, 'toolkits' | 'tools'>,
  wanted: (toolkit: Toolkit) => boolean,
): Promise<readonly Registration[]> {
  const toolkits = (await registry.toolkits()).filter((toolkit) => !toolkit.onDemand && wanted(toolkit));
  return (await Promise.all(toolkits.map((toolkit) => registry.tools(toolkit.slug)))).flat();
}

async function listToolkits(ordered: readonly Provider[]): Promise<Listing> {
  const bySlug = new Map<string, Toolkit>();
  for (const provider of ordered) {
    for (const toolkit of await provider.toolkits()) {
      const better = bySlug.get(toolkit.slug);
      bySlug.set(toolkit.slug, better ? withHostedWays(better, toolkit) : toolkit);
    }
  }
  return { toolkits: [...bySlug.values()], bySlug };
}

/** The toolkit of the higher priority, with the sign-in methods of the other added. */
function withHostedWays(better: Toolkit, other: Toolkit): Toolkit {
  const hosted = other.auth?.schemes.filter(({ hostedBy }) => hostedBy !== undefined) ?? [];
  if (!better.auth || better.provider !== 'native' || hosted.length === 0) return better;
  return { ...better, auth: { ...better.auth, schemes: [...better.auth.schemes, ...hosted] } };
}

async function loadTools(
  ordered: readonly Provider[],
  toolkit: string,
  workspaceId: string | undefined,
): Promise<readonly Registration[]> {
  const all: Registration[] = [];
  for (const provider of ordered) {
    const tools = await provider.tools(toolkit, workspaceId);
    for (const tool of tools) all.push({ tool, provider });
  }
  return all;
}

function best(registrations: readonly Registration[]): readonly Registration[] {
  const byName = new Map<string, Registration>();
  for (const one of registrations) if (!byName.has(one.tool.id.name)) byName.set(one.tool.id.name, one);
  return byName.size === registrations.length ? registrations : [...byName.values()];
}

/** Forgets a failed load, so that the next caller tries again. */
function orForget<T>(promise: Promise<T>, forget: () => void): Promise<T> {
  promise.catch(forget);
  return promise;
}
