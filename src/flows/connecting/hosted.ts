/**
 * Accounts that a provider stores (Composio). We store a reference and no secret: the provider itself is asked what the
 * person did, and a callback, which is not trusted, only triggers the question.
 */
import { setTimeout } from 'node:timers/promises';
import { newState } from '../../connections/index.js';
import type { Connected, SignInEnd } from '../../domain/accounts.js';
import type { Connection } from '../../domain/connection.js';
import { HelveError, toHelveError } from '../../domain/errors.js';
import type { JsonObject } from '../../domain/json.js';
import type { Principal } from '../../domain/principal.js';
import type { HostedAccount, HostedAccounts } from '../../domain/provider.js';
import type { OAuthFlow } from '../../domain/storage.js';
import type { Toolkit } from '../../domain/tool.js';
import { canonicalJson } from '../../util/canonical.js';
import { defined } from '../../util/defined.js';
import { newId, sha256 } from '../../util/hash.js';
import { systemPrincipal } from '../workspaces/index.js';
import { type AccountParts, refuseOlder, requireAuth, takenAway } from './account-parts.js';
import { connectionDraft } from './drafts.js';
import { type ConnectionChange, changeStored } from './store.js';

/** People need time to look for their password and their phone. */
const lifetimeMs = 60 * 60_000;
const callbackPath = '/api/composio/callback';
/** The provider may report success to the browser slightly before it does to us. */
const looks = [0, 500, 1_500];

interface HostedFlow {
  readonly reference: JsonObject;
}

/** Returns the provider that stores this connection's account; undefined if we do. */
export async function findHost(
  { registry }: Pick<AccountParts, 'registry'>,
  connection: Pick<Connection, 'toolkit' | 'scheme'>,
): Promise<HostedAccounts | undefined> {
  const toolkit = await registry.findToolkit(connection.toolkit);
  const scheme = toolkit?.auth?.schemes.find(({ id }) => id === connection.scheme);
  return scheme?.hostedBy === undefined ? undefined : registry.host(scheme.hostedBy);
}

export interface HostedStart {
  readonly connection: Connection;
  readonly toolkit: Toolkit;
  readonly host: HostedAccounts;
  readonly credentials?: Readonly<Record<string, string>> | undefined;
  /** One of the app's own sign-in methods. */
  readonly scheme?: string | undefined;
}

export async function beginHosted(parts: AccountParts, by: Principal, start: HostedStart): Promise<Connected> {
  const { workspaceId } = by;
  const { connection, toolkit, host, credentials, scheme } = start;
  const state = newState();
  const callback = parts.publicUrl(`${callbackPath}?state=${encodeURIComponent(state)}`);
  if (callback === undefined)
    throw new HelveError('invalid_config', 'Helve does not know its own address', { hint: 'Set HELVE_PUBLIC_URL.' });
  const { reference, redirectUrl } = await host.connect({
    workspaceId,
    toolkit: toolkit.slug,
    callbackUrl: callback,
    ...defined({ credentials, scheme }),
  });
  // Before the connection is looked at again: a disconnect from then on finds the sign-in and ends its account.
  const expiresAt = redirectUrl === undefined ? undefined : await remember(parts, by, connection, { state, reference });
  const { connection: waiting } = await changeStored(parts, { workspaceId, id: connection.id }, (present) => {
    if (!present || (connection.status !== 'revoked' && present.status === 'revoked')) throw takenAway();
    const { reason: _reason, ...kept } = present;
    // A working connection keeps working during a new sign-in.
    const started: Connection =
      present.status === 'active' ? present : { ...kept, status: 'pending', settings: reference };
    return { connection: started, row: connectionDraft('connection.started', by, started, parts.now()) };
  }).catch(async (thrown: unknown) => {
    // Nobody would know of it, and it may hold the credentials that were given.
    await leave(host, reference);
    throw thrown;
  });
  // Otherwise the old account would be overwritten and could not be removed any more.
  if (waiting.settings === reference) await leaveOld(parts, workspaceId, connection, reference);
  if (redirectUrl === undefined || expiresAt === undefined) {
    const known = await host.look({ settings: reference });
    return { connection: await settle(parts, by, waiting, reference, known) };
  }
  return { connection: waiting, redirectUrl, expiresAt };
}

async function remember(
  parts: AccountParts,
  { workspaceId, kind, id: by, name }: Principal,
  connection: Connection,
  { state, reference }: HostedFlow & { readonly state: string },
): Promise<string> {
  const id = newId();
  const now = parts.now();
  const expiresAt = new Date(now.getTime() + lifetimeMs).toISOString();
  const flow: HostedFlow = { reference };
  const sealed = await parts.vault.seal({ workspaceId, subject: `flow:${id}` }, JSON.stringify(flow));
  await parts.storage.workspace(workspaceId).flows.insert({
    id,
    workspaceId,
    connectionId: connection.id,
    ...sealed,
    expiresAt,
    createdAt: now.toISOString(),
    // There is no page of ours to open first: the person goes straight to the provider.
    ticketHash: sha256(newState()),
    stateHash: sha256(state),
    startedBy: { kind, id: by, name },
  });
  return expiresAt;
}

async function openFlow({ vault }: Pick<AccountParts, 'vault'>, flow: OAuthFlow): Promise<HostedFlow> {
  const place = { workspaceId: flow.workspaceId, subject: `flow:${flow.id}` };
  return JSON.parse(await vault.open(place, flow)) as HostedFlow;
}

/** Deletes the accounts of sign-ins that were ended, besides the account of the connection itself. */
export async function leaveUnfinished(
  parts: Pick<AccountParts, 'vault'>,
  { host, connection }: Pick<HostedStart, 'host' | 'connection'>,
  ended: readonly OAuthFlow[],
): Promise<void> {
  const opened = await Promise.allSettled(ended.map((flow) => openFlow(parts, flow)));
  const references = opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value.reference] : []));
  const others = references.filter((reference) => canonicalJson(reference) !== canonicalJson(connection.settings));
  await Promise.all(others.map((reference) => leave(host, reference)));
}

/** Handles a browser that returned. Never throws for bad input from outside. */
export async function finishHosted(parts: AccountParts, callback: URLSearchParams): Promise<SignInEnd> {
  try {
    const state = callback.get('state') ?? '';
    const flow = state === '' ? undefined : await parts.storage.system.findFlow({ stateHash: sha256(state) });
    if (!flow || flow.expiresAt <= parts.now().toISOString())
      throw new HelveError('expired', 'This sign-in has ended', { hint: 'Start again.' });
    const { workspaceId } = flow;
    const { reference } = await openFlow(parts, flow);
    const { connections } = await parts.configurations.getFresh(workspaceId);
    const connection = requireFinishable(
      connections.find(({ id }) => id === flow.connectionId),
      flow,
      reference,
    );
    const host = await findHost(parts, connection);
    if (!host) throw new HelveError('invalid_config', 'The provider that stores this account is no longer configured');
    const known = await lookPatiently(host, reference);
    const by: Principal = { ...flow.startedBy, workspaceId, permissions: [] };
    const settled = await settle(parts, by, connection, reference, known);
    const { toolkit } = await requireAuth(parts.registry, connection.toolkit);
    if (known.status !== 'active' || settled === connection)
      return { ok: false, toolkit: toolkit.title, problem: known.reason ?? 'The sign-in was not finished.' };
    await parts.storage.workspace(workspaceId).flows.take(flow.id, parts.now().toISOString());
    const account = settled.account?.email ?? settled.account?.name;
    const facts = { ok: true, toolkit: toolkit.title, connection: { name: settled.name, slug: settled.slug } };
    return account === undefined ? facts : { ...facts, account };
  } catch (thrown) {
    const error = toHelveError(thrown);
    return { ok: false, problem: error.hint ? `${error.message}. ${error.hint}` : error.message };
  }
}

/** Throws `not_found` or `conflict` for a connection that was removed, disconnected, or connected by another sign-in since. */
function requireFinishable(connection: Connection | undefined, flow: OAuthFlow, reference: JsonObject): Connection {
  if (!connection) throw new HelveError('not_found', 'The connection has been removed');
  if (connection.status === 'revoked') throw takenAway();
  // That this one has succeeded may have been seen before its browser came back.
  if (canonicalJson(connection.settings) !== canonicalJson(reference)) refuseOlder(connection, flow);
  return connection;
}

async function lookPatiently(host: HostedAccounts, reference: JsonObject): Promise<HostedAccount> {
  let known: HostedAccount = { status: 'pending' };
  for (const wait of looks) {
    if (wait > 0) await setTimeout(wait);
    known = await host.look({ settings: reference });
    if (known.status !== 'pending') break;
  }
  return known;
}

/** Refreshes a connection that is waiting for its person, from the provider. */
export async function lookAgain(parts: AccountParts, workspaceId: string, connection: Connection): Promise<Connection> {
  if (connection.status !== 'pending') return connection;
  const host = await findHost(parts, connection);
  if (!host) return connection;
  const known = await host.look(connection);
  return settle(parts, systemPrincipal(workspaceId), connection, connection.settings, known);
}

/** Stores what the provider reports if it is new. A failed attempt does not break a working connection. */
async function settle(
  parts: AccountParts,
  by: Principal,
  connection: Connection,
  reference: JsonObject,
  known: HostedAccount,
): Promise<Connection> {
  if (known.status === 'pending') return connection;
  const { workspaceId } = by;
  let isTakenAway = false;
  const settled = await changeStored(parts, { workspaceId, id: connection.id }, (present) => {
    isTakenAway = present === undefined || present.status === 'revoked';
    if (present === undefined || isTakenAway) return undefined;
    if (present.status === 'active' && known.status !== 'active') return undefined;
    // What was told is about an account that another sign-in has replaced meanwhile.
    const expected = [connection.settings, reference].map(canonicalJson);
    if (!expected.includes(canonicalJson(present.settings))) return undefined;
    return { ...describeSettled(parts.now(), by, { present, reference, known }), present };
  });
  if (isTakenAway) {
    // Of a new sign-in, whoever disconnected the connection knew only the account of before.
    await leave(await findHost(parts, connection), reference);
    throw takenAway();
  }
  if (settled === undefined) return connection;
  if (known.status === 'active') await leaveOld(parts, workspaceId, settled.present, reference);
  return settled.connection;
}

interface Settled {
  readonly present: Connection;
  readonly reference: JsonObject;
  readonly known: HostedAccount;
}

function describeSettled(now: Date, by: Principal, { present, reference, known }: Settled): ConnectionChange {
  const { reason: _reason, ...kept } = present;
  if (known.status === 'active') {
    const connection: Connection = {
      ...kept,
      settings: reference,
      status: 'active',
      connectedAt: now.toISOString(),
      ...defined({ account: known.account, scopes: known.scopes }),
    };
    return { connection, row: connectionDraft('connection.connected', by, connection, now) };
  }
  const reason = known.reason ?? 'the sign-in did not succeed';
  const status = known.status === 'revoked' ? 'error' : known.status;
  const connection: Connection = { ...kept, status, reason };
  return { connection, row: connectionDraft('connection.failed', by, connection, now, { reason }) };
}

/** After a new sign-in the provider stores two accounts: the previous one is no longer needed. */
async function leaveOld(
  parts: AccountParts,
  workspaceId: string,
  before: Connection,
  reference: JsonObject,
): Promise<void> {
  if (Object.keys(before.settings).length === 0 || canonicalJson(before.settings) === canonicalJson(reference)) return;
  await leave(await findHost(parts, before), before.settings);
  // The provider deletes the account's trigger subscriptions with it.
  const { triggers } = parts.storage.workspace(workspaceId);
  for (const { id, connectionId } of await triggers.list()) if (connectionId === before.id) await triggers.delete(id);
}

/** Deletes an account at its provider. It is no error if the provider cannot be reached. */
async function leave(host: HostedAccounts | undefined, reference: JsonObject): Promise<void> {
  await host?.disconnect({ settings: reference }).catch(() => undefined);
}
