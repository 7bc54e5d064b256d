/**
 * The tools of each caller as last listed, for the hot path: a call needs to know only whether its tool
 * advertises an output schema. Whether the call may run is never decided from here.
 */

import type { Plane } from '../../domain/plane.js';
import type { Principal } from '../../domain/principal.js';
import { type McpTool, toMcpTool } from '../../formats/index.js';
import { principalKey } from './principal.js';

export interface ToolPage {
  /** Only tools whose names come after this one; empty: from the start. */
  readonly after: string;
  readonly limit: number;
}

export interface KnownTools {
  /** In the order of their names, by code unit. Always asks the plane. */
  list(principal: Principal, page: ToolPage): Promise<readonly McpTool[]>;
  /** As of the last listing, if nothing has changed since. */
  find(principal: Principal, name: string): Promise<McpTool | undefined>;
  /** Calls `listener` when the list may have changed. Returns a function that stops this. */
  onChange(principal: Principal, listener: () => void): () => void;
  close(): void;
}

interface Entry {
  /** All tools of an agent; of others those that were asked for. */
  readonly tools: Map<string, McpTool | undefined>;
  /** What an agent is shown depends on all of its tools, which are therefore read together. */
  whole: Promise<void> | undefined;
  readonly until: number;
  stop(): void;
}

const maxPrincipals = 1_000;
const maxNames = 1_000;
const lifetimeMs = 60_000;

/** Cuts a page out of a whole list. */
export function cut(tools: readonly McpTool[], { after, limit }: ToolPage): readonly McpTool[] {
  const sorted = tools.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  return sorted.filter(({ name }) => name > after).slice(0, limit);
}

export function createKnownTools(plane: Plane): KnownTools {
  const entries = new Map<string, Entry>();
  const forget = (key: string) => {
    entries.get(key)?.stop();
    entries.delete(key);
  };

  /** Made before the plane is asked, so that no change is missed in between. */
  function renew(principal: Principal): Entry {
    const key = principalKey(principal);
    forget(key);
    const [oldest] = entries.keys();
    if (entries.size >= maxPrincipals && oldest !== undefined) forget(oldest);
    const stop = plane.onConfigurationChange(principal, () => forget(key));
    const entry: Entry = { tools: new Map(), whole: undefined, stop, until: Date.now() + lifetimeMs };
    entries.set(key, entry);
    return entry;
  }

  function current(principal: Principal): Entry {
    const entry = entries.get(principalKey(principal));
    return entry !== undefined && entry.until > Date.now() ? entry : renew(principal);
  }

  async function whole(principal: Principal, entry: Entry): Promise<Entry['tools']> {
    const { tools } = entry;
    entry.whole ??= plane.tools(principal).then((listed) => {
      for (const tool of listed) tools.set(tool.name, toMcpTool(tool));
    });
    try {
      await entry.whole;
    } catch (error) {
      forget(principalKey(principal));
      throw error;
    }
    return tools;
  }

  async function findOne(principal: Principal, name: string, { tools }: Entry): Promise<McpTool | undefined> {
    if (tools.has(name)) return tools.get(name);
    const [listed] = await plane.tools(principal, { name });
    const found = listed && toMcpTool(listed);
    if (tools.size >= maxNames) tools.clear();
    tools.set(name, found);
    return found;
  }

  return {
    async list(principal, { after, limit }) {
      const entry = renew(principal);
      if (principal.kind === 'agent') {
        const tools = [...(await whole(principal, entry)).values()].flatMap((tool) => tool ?? []);
        return cut(tools, { after, limit });
      }
      const page = (await plane.tools(principal, { after, limit })).map(toMcpTool);
      for (const tool of page) entry.tools.set(tool.name, tool);
      return page;
    },
    async find(principal, name) {
      const entry = current(principal);
      return principal.kind === 'agent' ? (await whole(principal, entry)).get(name) : findOne(principal, name, entry);
    },
    onChange: (principal, listener) => plane.onConfigurationChange(principal, listener),
    close() {
      for (const key of [...entries.keys()]) forget(key);
    },
  };
}
