/**
 * The tools of each caller as last listed, for the hot path: a call needs to know only whether its tool
 * advertises an output schema. Whether the call may run is never decided from here.
 */

import type { Plane } from '../../domain/plane.js';
import type { Principal } from '../../domain/principal.js';
import { type McpTool, toMcpTool } from '../../formats/index.js';
import { principalKey } from './principal.js';

export interface KnownTools {
  /** Always asks the plane. */
  list(principal: Principal): Promise<readonly McpTool[]>;
  /** As of the last listing, if nothing has changed since. */
  find(principal: Principal, name: string): Promise<McpTool | undefined>;
  /** Calls `listener` when the list may have changed. Returns a function that stops this. */
  onChange(principal: Principal, listener: () => void): () => void;
  close(): void;
}

interface Entry {
  readonly tools: Promise<ReadonlyMap<string, McpTool>>;
  readonly until: number;
  stop(): void;
}

const maxPrincipals = 1_000;
const lifetimeMs = 60_000;

export function createKnownTools(plane: Plane): KnownTools {
  const entries = new Map<string, Entry>();
  const forget = (key: string) => {
    entries.get(key)?.stop();
    entries.delete(key);
  };

  function load(principal: Principal): Entry['tools'] {
    const key = principalKey(principal);
    forget(key);
    const [oldest] = entries.keys();
    if (entries.size >= maxPrincipals && oldest !== undefined) forget(oldest);
    // Subscribe before listing, so that no change is missed in between.
    const stop = plane.onConfigurationChange(principal, () => forget(key));
    const tools = plane
      .tools(principal)
      .then((listed) => new Map(listed.map((tool) => [tool.name, toMcpTool(tool)] as const)));
    entries.set(key, { tools, stop, until: Date.now() + lifetimeMs });
    tools.catch(() => forget(key));
    return tools;
  }

  return {
    list: async (principal) => [...(await load(principal)).values()],
    async find(principal, name) {
      const entry = entries.get(principalKey(principal));
      const tools = entry !== undefined && entry.until > Date.now() ? entry.tools : load(principal);
      return (await tools).get(name);
    },
    onChange: (principal, listener) => plane.onConfigurationChange(principal, listener),
    close() {
      for (const key of [...entries.keys()]) forget(key);
    },
  };
}
