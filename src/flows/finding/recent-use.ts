/**
 * What a principal has used recently, from the audit record: queried only now and then, however many searches there
 * are.
 */
import type { Principal } from '../../domain/principal.js';
import type { DiscoveryParts } from './parts.js';

export interface RecentUse {
  /** By audit name, newest first. */
  readonly tools: readonly string[];
  /** Ids of accounts, newest first. */
  readonly connections: readonly string[];
}

interface Kept {
  readonly until: number;
  readonly use: Promise<RecentUse>;
}

const rows = 60;
const lifetimeMs = 30_000;
const maxKept = 1_000;
const nothing: RecentUse = { tools: [], connections: [] };

export function createRecentUse({ storage, now }: Pick<DiscoveryParts, 'storage' | 'now'>) {
  const kept = new Map<string, Kept>();

  return (principal: Principal): Promise<RecentUse> => {
    const key = JSON.stringify([principal.workspaceId, principal.kind, principal.id]);
    const at = now().getTime();
    const known = kept.get(key);
    if (known && known.until > at) return known.use;
    // It only affects ranking: if the record cannot be read, nothing ranks higher.
    const use = read(principal).catch(() => nothing);
    const [oldest] = kept.keys();
    if (kept.size >= maxKept && oldest !== undefined) kept.delete(oldest);
    kept.delete(key);
    kept.set(key, { use, until: at + lifetimeMs });
    return use;
  };

  async function read({ workspaceId, id }: Principal): Promise<RecentUse> {
    const query = { types: ['execution.started'], actorId: id, limit: rows } as const;
    const events = await storage.workspace(workspaceId).audit.search(query);
    const tools = events.flatMap(({ tool }) => (tool === undefined ? [] : [tool]));
    const connections = events.flatMap(({ body: { connectionId } }) =>
      typeof connectionId === 'string' ? [connectionId] : [],
    );
    return { tools: [...new Set(tools)], connections: [...new Set(connections)] };
  }
}
