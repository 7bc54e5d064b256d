/** What a workspace has of each app: nothing, its tools, or connections in some state. */
import type { Standing } from '../../catalogue/index.js';
import type { Connection, ConnectionStatus } from '../../domain/connection.js';
import type { WorkspaceConfiguration } from '../../domain/grant.js';
import type { MarketplaceApp } from '../../domain/marketplace.js';
import type { Principal } from '../../domain/principal.js';
import { isVisible } from '../../grants/index.js';
import { createLookup } from '../../util/lookup.js';

/** The best first: one working account is what counts. */
const ranks: readonly ConnectionStatus[] = ['active', 'pending', 'expired', 'error', 'added', 'revoked'];

const available: Standing = { status: 'available', connections: [] };
const inUse: Standing = { status: 'active', connections: [] };

const connectionsByToolkit = createLookup(({ toolkit }: Connection) => toolkit);

export function getStandings(
  { connections, toolkits }: WorkspaceConfiguration,
  principal: Principal,
): (entry: Pick<MarketplaceApp, 'slug' | 'noAuth' | 'provider'>, onDemand: boolean) => Standing {
  const settings = new Map(toolkits.map(({ toolkit, enabled }) => [toolkit, enabled]));
  return ({ slug, noAuth }, onDemand) => {
    const visible = connectionsByToolkit(connections, slug).filter((connection) => isVisible(connection, principal));
    if (visible.length > 0) return describe(visible);
    if (!noAuth) return available;
    return (settings.get(slug) ?? !onDemand) ? inUse : available;
  };
}

function describe(connections: readonly Connection[]): Standing {
  const status = ranks.find((rank) => connections.some((connection) => connection.status === rank)) ?? 'revoked';
  return { status, connections: connections.map(facts) };
}

function facts({ id, name, slug, status }: Connection): Standing['connections'][number] {
  return { id, name, slug, status };
}
