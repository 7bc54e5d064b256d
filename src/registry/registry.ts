/**
 * Which tools exist. Providers are asked once a toolkit and remembered; where several offer the
 * same toolkit the first in priority wins tool by tool, so a tool that only a lower one has is
 * still offered.
 */

import { HelveError } from '../spec/errors.js';
import type { Provider } from '../spec/provider.js';
import type { ProviderKind, Tool, Toolkit } from '../spec/tool.js';

export interface Registration {
  readonly tool: Tool;
  readonly provider: Provider;
}

export interface Registry {
  /** Adds a provider; whoever listed before sees its tools from now on. */
  register(provider: Provider): void;
  /** Rises with every `register` and every change that a provider tells of, so that what was built from a listing can tell that it is old. */
  readonly generation: number;
  toolkits(): Promise<readonly Toolkit[]>;
  findToolkit(slug: string): Promise<Toolkit | undefined>;
  /** Loads the toolkit on first use. */
  tools(toolkit: string): Promise<readonly Registration[]>;
  /** Every tool of every toolkit: loads them all. */
  all(): Promise<readonly Registration[]>;
  byCategory(category: string): Promise<readonly Registration[]>;
  find(toolkit: string, name: string): Promise<Registration | undefined>;
  /** Throws `tool_not_found`. */
  get(toolkit: string, name: string): Promise<Registration>;
  close(): Promise<void>;
}

/** R-priority: native first, then what speaks for one service, then the broad catalogue. */
const priority: Readonly<Record<ProviderKind, number>> = { native: 0, openapi: 1, mcp: 1, composio: 2 };

const byPriority = (a: Provider, b: Provider): number => priority[a.kind] - priority[b.kind];

export function createRegistry(providers: readonly Provider[]): Registry {
  const ordered = [...providers].sort(byPriority);
  const loaded = new Map<string, Promise<readonly Registration[]>>();
  let listed: Promise<readonly Toolkit[]> | undefined;
  let generation = 0;
  const follow = (provider: Provider) => provider.onChange?.(renew);

  function renew(): void {
    listed = undefined;
    loaded.clear();
    generation += 1;
  }

  const registry: Registry = {
    get generation() {
      return generation;
    },
    register(provider) {
      ordered.push(provider);
      ordered.sort(byPriority);
      follow(provider);
      renew();
    },
    toolkits() {
      listed ??= orForget(listToolkits(ordered), () => {
        listed = undefined;
      });
      return listed;
    },
    async findToolkit(slug) {
      return (await registry.toolkits()).find((toolkit) => toolkit.slug === slug);
    },
    tools(toolkit) {
      const known = loaded.get(toolkit);
      if (known) return known;
      const promise = orForget(loadTools(ordered, toolkit), () => loaded.delete(toolkit));
      loaded.set(toolkit, promise);
      return promise;
    },
    async all() {
      const toolkits = await registry.toolkits();
      return (await Promise.all(toolkits.map((toolkit) => registry.tools(toolkit.slug)))).flat();
    },
    async byCategory(category) {
      const toolkits = (await registry.toolkits()).filter((toolkit) => toolkit.category === category);
      return (await Promise.all(toolkits.map((toolkit) => registry.tools(toolkit.slug)))).flat();
    },
    async find(toolkit, name) {
      return (await registry.tools(toolkit)).find((entry) => entry.tool.id.name === name);
    },
    async get(toolkit, name) {
      const found = await registry.find(toolkit, name);
      if (!found) throw new HelveError('tool_not_found', `There is no tool ${toolkit}.${name}`);
      return found;
    },
    async close() {
      await Promise.all(ordered.map((provider) => provider.close()));
    },
  };
  for (const provider of ordered) follow(provider);
  return registry;
}

async function listToolkits(ordered: readonly Provider[]): Promise<readonly Toolkit[]> {
  const bySlug = new Map<string, Toolkit>();
  for (const provider of ordered) {
    for (const toolkit of await provider.toolkits()) if (!bySlug.has(toolkit.slug)) bySlug.set(toolkit.slug, toolkit);
  }
  return [...bySlug.values()];
}

async function loadTools(ordered: readonly Provider[], toolkit: string): Promise<readonly Registration[]> {
  const byName = new Map<string, Registration>();
  for (const provider of ordered) {
    for (const tool of await provider.tools(toolkit)) {
      if (!byName.has(tool.id.name)) byName.set(tool.id.name, { tool, provider });
    }
  }
  return [...byName.values()];
}

/** A failed load is forgotten, so that the next caller tries again. */
function orForget<T>(promise: Promise<T>, forget: () => void): Promise<T> {
  promise.catch(forget);
  return promise;
}
