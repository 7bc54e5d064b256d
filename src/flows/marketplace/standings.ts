/** What a workspace has of each app: nothing, its tools, or connections in some state. */
import type { Standing, StandingOf } from '../../catalogue/index.js';
import type { Connection, ConnectionStatus } from '../../domain/connection.js';
import type { WorkspaceConfiguration } from '../../domain/grant.js';
import type { Principal } from '../../domain/principal.js';
import { isVisible } from '../../grants/index.js';
import { createLookup } from '../../util/lookup.js';

/** The best first: one working account is what counts. */
const ranks: readonly ConnectionStatus[] = ['active', 'pending', 'expired', 'error', 'added', 'revoked'];

const available: Standing = { status: 'available', connections: [] };
const inUse: Standing = { status: 'active', connections: [] };

const connectionsByToolkit = createLookup(({ toolkit }: Connection) => toolkit);

interface Question {
  readonly configuration: WorkspaceConfiguration;
  readonly principal: Principal;
  /** Apps that a workspace has only after choosing them. */
  readonly onDemand: ReadonlySet<string>;
}

interface Kept extends Pick<WorkspaceConfiguration, 'toolkits'>, Pick<Question, 'onDemand'> {
  readonly standingOf: StandingOf;
}

/** Principals of one list of accounts. */
const maxKept = 100;

/** Returns a function that gives the same function again as long as its answers are the same. */
export function createStandings(): (question: Question) => StandingOf {
  const kept = new WeakMap<readonly Connection[], Map<string, Kept>>();
  return (question) => {
    const { configuration, principal, onDemand } = question;
    const { connections, toolkits } = configuration;
    const byPrincipal = kept.get(connections) ?? new Map<string, Kept>();
    kept.set(connections, byPrincipal);
    const { id, onBehalfOf, ownAccountsOnly = false } = principal;
    const key = JSON.stringify([id, onBehalfOf?.id, ownAccountsOnly]);
    const known = byPrincipal.get(key);
    if (known?.toolkits === toolkits && known.onDemand === onDemand) return known.standingOf;
    if (byPrincipal.size >= maxKept) byPrincipal.clear();
    const standingOf = describeStandings(question);
    byPrincipal.set(key, { toolkits, onDemand, standingOf });
    return standingOf;
  };
}

function describeStandings({ configuration, principal, onDemand }: Question): StandingOf {
  const { connections, toolkits } = configuration;
  const settings = new Map(toolkits.map(({ toolkit, enabled }) => [toolkit, enabled]));
  return ({ slug, noAuth }) => {
    const visible = connectionsByToolkit(connections, slug).filter((connection) => isVisible(connection, principal));
    if (visible.length > 0) return describe(visible);
    if (!noAuth) return available;
    return (settings.get(slug) ?? !onDemand.has(slug)) ? inUse : available;
  };
}

function describe(connections: readonly Connection[]): Standing {
  const status = ranks.find((rank) => connections.some((connection) => connection.status === rank)) ?? 'revoked';
  return { status, connections: connections.map(facts) };
}

function facts({ id, name, slug, status }: Connection): Standing['connections'][number] {
  return { id, name, slug, status };
}
