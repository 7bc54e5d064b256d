/** Adds, renames and removes connections. */
import type { AccountActs, ConnectionInput, DisconnectReport } from '../../domain/accounts.js';
import type { Connection } from '../../domain/connection.js';
import { HelveError } from '../../domain/errors.js';
import { computeSlugs } from '../../domain/naming/index.js';
import type { Principal } from '../../domain/principal.js';
import type { HostedAccounts } from '../../domain/provider.js';
import type { OAuthFlow } from '../../domain/storage.js';
import { isVisible, visibleConnections } from '../../grants/index.js';
import { defined } from '../../util/defined.js';
import { newId } from '../../util/hash.js';
import { createLookup } from '../../util/lookup.js';
import { listNames, suggestName } from '../../util/nearest.js';
import { type AccountParts, findScheme, requireAuth, secretSubject, takenAway } from './account-parts.js';
import { openContent } from './credentials.js';
import { connectionDraft } from './drafts.js';
import { findHost, leaveUnfinished, lookAgain } from './hosted.js';
import { revokeTokens } from './revoking.js';
import { changeStored, store } from './store.js';

type Lifecycle = Pick<
  AccountActs,
  | 'connections'
  | 'connection'
  | 'connectionSchemes'
  | 'addConnection'
  | 'changeConnection'
  | 'disconnect'
  | 'removeConnection'
  | 'disconnectAll'
>;

const maxName = 100;
const connectionsById = createLookup(({ id }: Connection) => id);
const connectionsBySlug = createLookup(({ slug }: Connection) => slug);

export function createLifecycle(parts: AccountParts): Lifecycle {
  return {
    async connections(principal) {
      return [...visibleConnections(await parts.configurations.getFresh(principal.workspaceId), principal)];
    },
    async connection(principal, idOrSlug) {
      return lookAgain(parts, principal.workspaceId, await findConnection(parts, principal, idOrSlug));
    },
    async connectionSchemes(_principal, toolkit) {
      const { auth } = await requireAuth(parts.registry, toolkit);
      return auth.schemes.map(({ id, kind, title, provider, fields = [] }) => ({
        id,
        kind,
        title,
        fields,
        ...defined({ provider }),
      }));
    },
    async addConnection(principal, input) {
      return add(parts, principal, input);
    },
    async changeConnection(principal, idOrSlug, { name, visibility }) {
      const { id } = await findConnection(parts, principal, idOrSlug);
      const checked = name === undefined ? undefined : checkedName(name);
      const place = { workspaceId: principal.workspaceId, id };
      const changed = await changeStored(parts, place, (before, all) => {
        if (!before) throw takenAway();
        const renamed = checked ?? before.name;
        const others = all.filter((one) => one !== before);
        const connection: Connection = {
          ...before,
          name: renamed,
          slug: renamed === before.name ? before.slug : freeSlug(others, { ...before, name: renamed }),
          visibility: visibility ?? before.visibility,
        };
        return { connection, row: connectionDraft('connection.changed', principal, connection, parts.now()) };
      });
      return changed.connection;
    },
    async disconnect(principal, idOrSlug) {
      return takeAway(parts, principal, await findConnection(parts, principal, idOrSlug));
    },
    async removeConnection(principal, idOrSlug) {
      return remove(parts, principal, await findConnection(parts, principal, idOrSlug));
    },
    async disconnectAll(principal) {
      const visible = visibleConnections(await parts.configurations.getFresh(principal.workspaceId), principal);
      return Promise.all(visible.map((connection) => takeAway(parts, principal, connection)));
    },
  };
}

async function add(parts: AccountParts, principal: Principal, input: ConnectionInput): Promise<Connection> {
  const { toolkit, name, visibility = 'workspace', scheme } = input;
  const { toolkit: loadedToolkit, auth } = await requireAuth(parts.registry, toolkit);
  const { connections } = await parts.configurations.getFresh(principal.workspaceId);
  const facts = { id: newId(), name: checkedName(name ?? loadedToolkit.title), createdAt: parts.now().toISOString() };
  const connection: Connection = {
    ...facts,
    toolkit,
    visibility,
    status: 'added',
    settings: {},
    slug: freeSlug(connections, facts),
    scheme: findScheme(auth, toolkit, scheme).id,
    ownerId: findOwner(principal),
  };
  await store(parts, principal, connection);
  return connection;
}

/** Another person's private connection looks like one that does not exist. Throws `not_found`. */
export async function findConnection(
  { configurations }: Pick<AccountParts, 'configurations'>,
  principal: Principal,
  idOrSlug: string,
): Promise<Connection> {
  const configuration = await configurations.getFresh(principal.workspaceId);
  const sees = (connection: Connection): boolean => isVisible(connection, principal);
  for (const lookup of [connectionsById, connectionsBySlug]) {
    const found = lookup(configuration.connections, idOrSlug).find(sees);
    if (found) return found;
  }
  const names = visibleConnections(configuration, principal).map(({ slug }) => slug);
  throw new HelveError('not_found', `There is no connection ${JSON.stringify(idOrSlug.slice(0, 100))}`, {
    hint: suggestName(idOrSlug, names, names.length === 0 ? 'There are none yet.' : `There are ${listNames(names)}.`),
  });
}

function findOwner({ id, onBehalfOf }: Principal): string {
  return onBehalfOf?.id ?? id;
}

function checkedName(name: string): string {
  const plain = name.trim();
  if (plain !== '' && plain.length <= maxName && !/\p{Cc}/u.test(plain)) return plain;
  throw new HelveError('invalid_input', `A connection's name has 1 to ${maxName} visible characters`);
}

/** By the slug rule, but assigned once: removing a connection never changes the slug of another. */
function freeSlug(others: readonly Connection[], facts: Pick<Connection, 'id' | 'name' | 'createdAt'>): string {
  // The taken slugs stand for earlier connections with that name.
  const taken = others.map(({ id, slug }, order) => ({ id, name: slug, createdAt: order }));
  const slug = computeSlugs([...taken, { ...facts, createdAt: taken.length }]).get(facts.id);
  return slug ?? facts.id;
}

async function remove(parts: AccountParts, principal: Principal, connection: Connection): Promise<DisconnectReport> {
  const { workspaceId } = principal;
  const report = await takeAway(parts, principal, connection);
  const row = connectionDraft('connection.removed', principal, report.connection, parts.now());
  await parts.storage.workspace(workspaceId).change([row], (tables) => tables.deleteConnection(connection.id));
  return report;
}

/** First makes the connection unusable here, in one commit; then revokes at the service, as far as possible. */
async function takeAway(parts: AccountParts, principal: Principal, connection: Connection): Promise<DisconnectReport> {
  const { workspaceId } = principal;
  const stored = await parts.storage.workspace(workspaceId).secrets.find(secretSubject(connection));
  const host = await findHost(parts, connection);
  const { reason: _reason, scopes: _scopes, ...kept } = connection;
  const reason = `disconnected by ${principal.name}`;
  const revoked: Connection = { ...kept, status: 'revoked', reason };
  const row = connectionDraft('connection.disconnected', principal, revoked, parts.now());
  let ended: readonly OAuthFlow[] = [];
  // Other changes at the same time must neither delay it nor be undone by it.
  await parts.storage.workspace(workspaceId).change([row], async (tables) => {
    ended = await tables.revokeConnection(connection.id, reason);
    await tables.deleteSecret(secretSubject(connection));
  });
  if (host) {
    await leaveUnfinished(parts, { host, connection }, ended);
    return { connection: revoked, revocation: await tellHost(host, connection) };
  }
  if (!stored) return { connection: revoked, revocation: 'nothing' };
  try {
    const { auth } = await requireAuth(parts.registry, connection.toolkit);
    const scheme = findScheme(auth, connection.toolkit, connection.scheme);
    const content = await openContent(parts, workspaceId, connection, stored);
    return { connection: revoked, revocation: await revokeTokens(parts, { workspaceId, scheme }, content.tokens) };
  } catch {
    // Here it is removed whatever the service answers; the report says that revocation failed.
    return { connection: revoked, revocation: 'failed' };
  }
}

async function tellHost(host: HostedAccounts, connection: Connection): Promise<DisconnectReport['revocation']> {
  if (Object.keys(connection.settings).length === 0) return 'nothing';
  try {
    await host.disconnect(connection);
    return 'revoked';
  } catch {
    return 'failed';
  }
}
