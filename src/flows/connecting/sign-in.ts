/**
 * Signing in with OAuth: a link that one browser can open, a state that is accepted once, from that browser, within ten
 * minutes, and a redirect address that is configured and never taken from a request.
 */
import { randomBytes } from 'node:crypto';
import {
  type AuthorizationRequest,
  authorizationUrl,
  type CredentialContent,
  exchangeCode,
  newState,
  newVerifier,
  renewalTime,
} from '../../connections/index.js';
import type { AccountActs, Connected, SignInEnd } from '../../domain/accounts.js';
import type { AuthScheme, Connection, OAuthProvider, ToolkitAuth } from '../../domain/connection.js';
import { HelveError, toHelveError } from '../../domain/errors.js';
import type { Principal, PrincipalRef } from '../../domain/principal.js';
import type { OAuthFlow } from '../../domain/storage.js';
import { defined } from '../../util/defined.js';
import { newId, newSecret, sha256 } from '../../util/hash.js';
import { systemPrincipal } from '../workspaces/index.js';
import {
  type AccountParts,
  type ConfiguredClient,
  findScheme,
  refuseOlder,
  requireAuth,
  takenAway,
} from './account-parts.js';
import { getCallbackPath } from './callback-path.js';
import { type Activation, activate } from './connecting.js';
import { connectionDraft } from './drafts.js';
import { tokenHttp } from './reach.js';
import { revokeTokens } from './revoking.js';
import { prepareServerClient } from './server-client.js';
import { changeStored } from './store.js';

const lifetimeMs = 10 * 60_000;
const tokenTimeoutMs = 60_000;

interface FlowSecrets extends AuthorizationRequest {
  readonly provider: string;
  /** The endpoints of the client when the sign-in started. */
  readonly endpoints: Pick<OAuthProvider, 'authorizationEndpoint' | 'tokenEndpoint'>;
  /** The person for whom an agent started it. */
  readonly onBehalfOf?: PrincipalRef;
}

/** The connection waits; the browser that first opens the link continues. */
export async function beginSignIn(
  parts: AccountParts,
  principal: Principal,
  connection: Connection,
  scheme: AuthScheme,
  wanted: readonly string[],
): Promise<Connected> {
  const { workspaceId } = principal;
  if (parts.publicUrl('/') === undefined)
    throw new HelveError('invalid_config', 'Helve does not know its own address', { hint: 'Set HELVE_PUBLIC_URL.' });
  const provider = scheme.provider ?? '';
  const { discover } = scheme;
  const asked = discover && (await prepareServerClient(parts, principal, { ...scheme, discover }));
  const scopes = [...new Set([...wanted, ...(asked?.scopes ?? [])])];
  // Checked now, before the person is on the way.
  const client = await parts.oauthClients.get(workspaceId, provider);
  const redirectUri = asked?.redirectUri ?? parts.publicUrl(getCallbackPath(client)) ?? '';
  const ticket = newSecret('helve_connect');
  const { authorizationEndpoint, tokenEndpoint } = client.provider;
  const endpoints = { authorizationEndpoint, tokenEndpoint };
  const { kind, id: by, name, onBehalfOf } = principal;
  const proofs = { state: newState(), verifier: newVerifier() };
  const secrets: FlowSecrets = { provider, endpoints, redirectUri, scopes, ...proofs, ...defined({ onBehalfOf }) };
  const id = newId();
  const sealed = await parts.vault.seal({ workspaceId, subject: `flow:${id}` }, JSON.stringify(secrets));
  const now = parts.now();
  const expiresAt = new Date(now.getTime() + lifetimeMs).toISOString();
  await parts.storage.workspace(workspaceId).flows.insert({
    id,
    workspaceId,
    connectionId: connection.id,
    ...sealed,
    expiresAt,
    ticketHash: sha256(ticket),
    stateHash: sha256(secrets.state),
    createdAt: now.toISOString(),
    startedBy: { kind, id: by, name },
  });
  const { connection: waiting } = await changeStored(parts, { workspaceId, id: connection.id }, (present) => {
    if (!present || (connection.status !== 'revoked' && present.status === 'revoked')) throw takenAway();
    const { reason: _reason, ...kept } = present;
    // A working connection keeps working during a new sign-in.
    const started: Connection = present.status === 'active' ? present : { ...kept, status: 'pending' };
    return { connection: started, row: connectionDraft('connection.started', principal, started, parts.now()) };
  });
  return { connection: waiting, redirectUrl: parts.publicUrl(`/connect/${ticket}`) ?? '', expiresAt };
}

export function createSignIn(parts: AccountParts): Pick<AccountActs, 'showSignIn' | 'startSignIn' | 'finishSignIn'> {
  return {
    async showSignIn(ticket) {
      const flow = await flowOfTicket(parts, ticket);
      const secrets = await openSecrets(parts, flow);
      const connection = await findFlowConnection(parts, flow);
      const { toolkit } = await requireAuth(parts.registry, connection.toolkit);
      const client = await findFlowClient(parts, flow, secrets);
      const workspace = await parts.storage.system.findWorkspace(flow.workspaceId);
      const account = connection.account?.email ?? connection.account?.name;
      return {
        by: flow.startedBy,
        workspace: workspace?.name ?? flow.workspaceId,
        toolkit: toolkit.title,
        connection: { name: connection.name, slug: connection.slug },
        ...defined({ account }),
        provider: client.provider.name,
        authorizationEndpoint: client.provider.authorizationEndpoint,
        scopes: secrets.scopes,
      };
    },
    async startSignIn(ticket, cookieOf) {
      const flow = await flowOfTicket(parts, ticket);
      const now = parts.now().toISOString();
      const name = cookieName(flow);
      const held = cookieOf(name);
      const mine = isSameBrowser(flow, held);
      const value = mine ? held : randomBytes(32).toString('base64url');
      if (!mine && !(await parts.storage.workspace(flow.workspaceId).flows.claim(flow.id, sha256(value), now))) {
        throw new HelveError('forbidden', 'This link was opened in another browser', {
          hint: 'Continue there, or ask for a new link: helve connect.',
        });
      }
      const secrets = await openSecrets(parts, flow);
      const client = await findFlowClient(parts, flow, secrets);
      return {
        location: await authorizationUrl(client, secrets),
        cookie: { name, value, maxAgeSeconds: lifetimeMs / 1_000 },
      };
    },
    async finishSignIn(address, cookieOf, session) {
      try {
        return await finish(parts, address, cookieOf, session);
      } catch (thrown) {
        const error = toHelveError(thrown);
        return { ok: false, problem: error.hint ? `${error.message}. ${error.hint}` : error.message };
      }
    },
  };
}

/** The browser that a flow belongs to is checked before the state is used up, so that another browser cannot end it. */
async function finish(
  parts: AccountParts,
  address: URL,
  cookieOf: (name: string) => string | undefined,
  session: Principal | undefined,
): Promise<SignInEnd> {
  const callback = address.searchParams;
  const flow = await ownFlow(parts, address, cookieOf, session);
  const { workspaceId } = flow;
  const connection = await findFlowConnection(parts, flow);
  // The kill switch also ends sign-ins in progress.
  if (connection.status === 'revoked') throw takenAway();
  refuseOlder(connection, flow);
  const { toolkit, auth } = await requireAuth(parts.registry, connection.toolkit);
  const by: Principal = { ...flow.startedBy, workspaceId, permissions: [] };
  try {
    const secrets = await openSecrets(parts, flow);
    const client = await findFlowClient(parts, flow, secrets);
    const endpoint = client.provider.tokenEndpoint;
    const http = tokenHttp(parts, [{ url: endpoint, named: client.named.includes(endpoint) }], tokenTimeoutMs);
    const askedAt = parts.now();
    const tokens = await exchangeCode(client, callback, secrets, http);
    const wider = widerThan(secrets.scopes, tokens.scopes ?? [], auth);
    const given = {
      accessToken: tokens.accessToken,
      ...defined({ refreshToken: tokens.refreshToken }),
      ...renewalTime(askedAt, tokens.expiresInSeconds),
      givenBy: endpoint,
    };
    const active = await activate(parts, {
      workspaceId,
      by,
      connection,
      toolkit,
      auth,
      check: true,
      settings: connection.settings,
      content: { fields: {}, tokens: given },
      scopes: tokens.scopes ?? secrets.scopes,
      wider,
    }).catch(async (thrown: unknown) => {
      await revokeIfTakenAway(parts, { workspaceId, connection, auth }, given);
      throw thrown;
    });
    const account = active.account?.email ?? active.account?.name;
    const facts = {
      ok: true,
      toolkit: toolkit.title,
      connection: { name: active.name, slug: active.slug },
      ...(wider.length === 0 ? {} : { wider }),
    };
    return account === undefined ? facts : { ...facts, account };
  } catch (thrown) {
    await markFailed(parts, workspaceId, connection, toHelveError(thrown).message);
    throw thrown;
  }
}

/**
 * Whoever disconnected the account did not know of these tokens. Those of a sign-in that failed for another reason are left alone: at
 * some services, revoking one also ends those that the account has.
 */
async function revokeIfTakenAway(
  parts: AccountParts,
  { workspaceId, connection, auth }: Pick<Activation, 'workspaceId' | 'connection' | 'auth'>,
  tokens: CredentialContent['tokens'],
): Promise<void> {
  const { connections } = await parts.configurations.getFresh(workspaceId);
  const present = connections.find(({ id }) => id === connection.id);
  if (present && present.status !== 'revoked') return;
  const scheme = findScheme(auth, connection.toolkit, connection.scheme);
  await revokeTokens(parts, { workspaceId, scheme }, tokens).catch(() => undefined);
}

/** Uses up and returns the flow of this state. Errors reveal only what an untrusted client may know. */
async function ownFlow(
  parts: AccountParts,
  address: URL,
  cookieOf: (name: string) => string | undefined,
  session: Principal | undefined,
): Promise<OAuthFlow> {
  const flow = await flowOfState(parts, address.searchParams.getAll('state'));
  const now = parts.now().toISOString();
  const gone = new HelveError(
    'expired',
    'This sign-in has ended: it was already finished, took more than ten minutes, or its account was disconnected',
    {
      hint: 'Begin again.',
    },
  );
  if (!flow || flow.expiresAt <= now) throw gone;
  const elsewhere = new HelveError('forbidden', 'This sign-in was started in another browser', {
    hint: 'Finish it there, or start again.',
  });
  if (!isSameBrowser(flow, cookieOf(cookieName(flow)))) throw elsewhere;
  const { redirectUri, onBehalfOf = flow.startedBy } = await openSecrets(parts, flow);
  if (session && !mayFinish(session, flow.workspaceId, onBehalfOf)) throw elsewhere;
  if (new URL(redirectUri).pathname !== address.pathname)
    throw new HelveError('forbidden', 'This answer came to the address of another provider', {
      hint: 'Start again. If this happens again, report the provider: it may be impersonating another one.',
    });
  if (await parts.storage.workspace(flow.workspaceId).flows.take(flow.id, now)) return flow;
  throw gone;
}

async function flowOfState(parts: AccountParts, states: readonly string[]): Promise<OAuthFlow | undefined> {
  const [state = ''] = states;
  if (states.length !== 1 || state.length > 500) return undefined;
  return parts.storage.system.findFlow({ stateHash: sha256(state) });
}

/** Whether this is the secret that the browser which opened the link holds. */
function isSameBrowser({ browserHash }: OAuthFlow, held: string | undefined): held is string {
  return held !== undefined && sha256(held) === browserHash;
}

/** A person who is signed in to Helve in that browser can finish only sign-ins that they started, or an agent for them. */
function mayFinish(session: Principal, workspaceId: string, { kind, id }: PrincipalRef): boolean {
  if (session.workspaceId !== workspaceId) return false;
  return kind !== 'user' || id === 'system' || id === session.id;
}

async function flowOfTicket(parts: AccountParts, ticket: string): Promise<OAuthFlow> {
  const flow = await parts.storage.system.findFlow({ ticketHash: sha256(ticket) });
  if (flow && flow.expiresAt > parts.now().toISOString()) return flow;
  throw new HelveError('expired', 'This sign-in link has been used or has expired', {
    hint: 'Ask for a new one: helve connect.',
  });
}

async function findFlowConnection(parts: AccountParts, { workspaceId, connectionId }: OAuthFlow): Promise<Connection> {
  const { connections } = await parts.configurations.getFresh(workspaceId);
  const connection = connections.find(({ id }) => id === connectionId);
  if (connection) return connection;
  throw new HelveError('not_found', 'The connection has been removed');
}

/** Scopes that were granted and neither requested nor included in what was requested. */
function widerThan(
  asked: readonly string[],
  granted: readonly string[],
  { impliedScopes = {} }: ToolkitAuth,
): readonly string[] {
  const implied = asked.flatMap((scope) => (Object.hasOwn(impliedScopes, scope) ? (impliedScopes[scope] ?? []) : []));
  const expected = new Set([...asked, ...implied]);
  return granted.filter((scope) => !expected.has(scope));
}

/** A working connection stays unchanged: a failed attempt does not break it. */
async function markFailed(parts: AccountParts, workspaceId: string, { id }: Connection, reason: string): Promise<void> {
  await changeStored(parts, { workspaceId, id }, (connection) => {
    if (connection?.status !== 'pending') return undefined;
    const failed: Connection = { ...connection, status: 'error', reason };
    const row = connectionDraft('connection.failed', systemPrincipal(workspaceId), failed, parts.now(), { reason });
    return { connection: failed, row };
  });
}

async function openSecrets({ vault }: AccountParts, flow: OAuthFlow): Promise<FlowSecrets> {
  const place = { workspaceId: flow.workspaceId, subject: `flow:${flow.id}` };
  return JSON.parse(await vault.open(place, flow)) as FlowSecrets;
}

/**
 * The client with which a sign-in started. Throws `conflict` if its endpoints have changed since: one provider's code
 * must not be sent to another.
 */
async function findFlowClient(
  parts: AccountParts,
  { workspaceId }: OAuthFlow,
  { provider, endpoints }: FlowSecrets,
): Promise<ConfiguredClient> {
  const client = await parts.oauthClients.get(workspaceId, provider);
  const { authorizationEndpoint, tokenEndpoint } = client.provider;
  if (authorizationEndpoint === endpoints.authorizationEndpoint && tokenEndpoint === endpoints.tokenEndpoint)
    return client;
  throw new HelveError('conflict', `The endpoints of ${client.provider.name} were changed during this sign-in`, {
    hint: 'Begin again.',
  });
}

function cookieName({ id }: OAuthFlow): string {
  return `helve_connect_${sha256(id).slice(0, 12)}`;
}

/** The scopes to request: those of the tools, those of the scheme, and those granted before. */
export function scopesFor(
  tools: readonly { readonly scopes: readonly string[] }[],
  scheme: AuthScheme,
  { scopes: before = [] }: Connection,
  { impliedScopes = {} }: ToolkitAuth,
): readonly string[] {
  const wanted = [...new Set([...(scheme.scopes ?? []), ...before, ...tools.flatMap(({ scopes }) => scopes)])];
  const covered = new Set(
    wanted.flatMap((scope) => (Object.hasOwn(impliedScopes, scope) ? (impliedScopes[scope] ?? []) : [])),
  );
  return wanted.filter((scope) => !covered.has(scope));
}
