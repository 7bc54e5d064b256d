/** What a workspace has of each app: nothing, its tools, or connections in some state. */
import type { Standing } from '../../catalogue/index.js';
import type { Connection, ConnectionStatus } from '../../domain/connection.js';
import type { WorkspaceConfiguration } from '../../domain/grant.js';
import type { MarketplaceApp } from '../../domain/marketplace.js';
import type { Principal } from '../../domain/principal.js';
import { isVisible } from '../../grants/index.js';

/** The best first: one working account is what counts. */
const ranks: readonly ConnectionStatus[] = ['active', 'pending', 'expired', 'error', 'added', 'revoked'];

const available: Standing = { status: 'available', connections: [] };
const inUse: Standing = { status: 'active', connections: [] };

export function getStandings(
  { connections, toolkits }: WorkspaceConfiguration,
  principal: Principal,
): (entry: Pick<MarketplaceApp, 'slug' | 'noAuth' | 'provider'>, onDemand: boolean) => Standing {
  const byToolkit = new Map<string, Standing>();
  for (const connection of connections) {
    if (!isVisible(connection, principal)) continue;
    const before = byToolkit.get(connection.toolkit);
    byToolkit.set(connection.toolkit, {
      status: better(before?.status, connection.status),
      connections: [...(before?.connections ?? []), facts(connection)],
    });
  }
  const settings = new Map(toolkits.map(({ toolkit, enabled }) => [toolkit, enabled]));
  return ({ slug, noAuth }, onDemand) => {
    const connected = byToolkit.get(slug);
    if (connected) return connected;
    if (!noAuth) return available;
    return (settings.get(slug) ?? !onDemand) ? inUse : available;
  };
}

function better(one: Standing['status'] | undefined, other: ConnectionStatus): ConnectionStatus {
  if (one === undefined || one === 'available') return other;
  return ranks.indexOf(one) <= ranks.indexOf(other) ? one : other;
}

function facts({ id, name, slug, status }: Connection): Standing['connections'][number] {
  return { id, name, slug, status };
}
