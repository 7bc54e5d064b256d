/**
 * From a secret to a principal. Results are cached for a second, so that a busy agent does not cause a look-up per
 * call.
 */
import type { Authorization } from '../domain/authorization.js';
import { HelveError } from '../domain/errors.js';
import { agentPrincipal, type Credential, type Principal, type PrincipalRef } from '../domain/principal.js';
import { readKey, readRole } from '../domain/roles.js';
import type { Storage, WorkspaceStorage } from '../domain/storage.js';
import { sha256 } from '../util/hash.js';
import { isLive, secretShape } from './secrets.js';
import { isIdle, type SessionLimits, stillUsed } from './sessions.js';

export interface Authenticator {
  /**
   * Returns the principal of a secret. Throws `unauthenticated`. `resource`: the address at which the secret was
   * presented, if it is an MCP address.
   */
  authenticate(secret: string, resource?: string): Promise<Principal>;
  /** As `authenticate`, for a secret from the cookie: only a person's session is accepted. */
  authenticateSession(secret: string): Promise<Principal>;
  /** Uses up a one-time link. Throws `unauthenticated`. */
  takeLink(secret: string): Promise<Principal>;
  /**
   * Returns, as a text to compare, the rights that the principal's credential gives now; undefined if it has ended or no
   * longer gives all that the principal has. For a principal without a credential always the same, until the person or the key that
   * it acts for has lost the right to that. Does not count as a use of a session.
   */
  findRights(principal: Principal): Promise<string | undefined>;
  /** Drops what is cached about a workspace, because something there changed. */
  forget(workspaceId: string): void;
}

const rememberMs = 1_000;
const maxRemembered = 10_000;

/** Creates the authenticator of this process. */
export function createAuthenticator(storage: Storage, now: () => Date, limits: SessionLimits): Authenticator {
  const remembered = new Map<string, Remembered>();
  let changes = 0;

  async function look(secret: string): Promise<Found> {
    if (!secretShape.test(secret)) throw unauthenticated();
    const found = await storage.system.findCredential(sha256(secret));
    if (!found || !isLive(found.credential, now())) throw unauthenticated();
    const { workspaceId, credential } = found;
    if (credential.kind === 'session' && !(await stillUsed(storage.workspace(workspaceId), credential, now, limits)))
      throw unauthenticated();
    const principal = await getPrincipal(storage, workspaceId, credential);
    if (!principal) throw unauthenticated();
    if (credential.authorizationId === undefined)
      return { principal: { ...principal, credentialId: credential.id }, credential, resource: undefined };
    return { ...(await letIn(storage, principal, credential)), credential };
  }

  async function recall(secret: string): Promise<Remembered> {
    const time = now().getTime();
    const known = remembered.get(secret);
    if (known && known.since <= time && time < known.until) return known;
    const changesBefore = changes;
    const { principal, credential, resource } = await look(secret);
    const { kind } = credential;
    if (kind === 'admin_link') throw unauthenticated();
    const until = Math.min(time + rememberMs, findEnd(credential));
    const entry = { principal, kind, resource, since: time, until };
    // It may have been read before a change that was made meanwhile.
    if (changes !== changesBefore) return entry;
    if (remembered.size >= maxRemembered) remembered.clear();
    remembered.set(secret, entry);
    return entry;
  }

  return {
    async authenticate(secret, shownAt) {
      return at(await recall(secret), shownAt);
    },
    async authenticateSession(secret) {
      const { principal, kind } = await recall(secret);
      if (kind !== 'session') throw unauthenticated();
      return principal;
    },
    async takeLink(secret) {
      const { principal, credential } = await look(secret);
      if (credential.kind !== 'admin_link') throw unauthenticated();
      const taken = await storage.workspace(principal.workspaceId).takeCredential(credential.id, now().toISOString());
      if (!taken) throw unauthenticated();
      return principal;
    },
    async findRights(principal) {
      const { workspaceId, credentialId } = principal;
      const workspace = storage.workspace(workspaceId);
      if (credentialId === undefined)
        return (await findActingLost(workspace, principal, now())) === undefined ? 'trusted' : undefined;
      const credential = await workspace.findCredential(credentialId);
      if (!credential || !isLive(credential, now())) return undefined;
      if (credential.kind === 'session' && isIdle(credential, now(), limits)) return undefined;
      const found = await getPrincipal(storage, workspaceId, credential);
      if (!found || credential.authorizationId === undefined) return found && compareRights(found, principal);
      const authorization = await workspace.authorizations.find(credential.authorizationId);
      if (authorization?.status !== 'exchanged') return undefined;
      return compareRights(asProgram(found, credential, authorization), principal);
    },
    forget(workspaceId) {
      changes += 1;
      for (const [secret, { principal }] of remembered)
        if (principal.workspaceId === workspaceId) remembered.delete(secret);
    },
  };
}

/**
 * Returns why the agent may no longer act for its person or key; undefined if it still may, or acts for nobody. Trusted code may name
 * somebody who is not in this workspace, and who is therefore not checked.
 */
export async function findActingLost(
  workspace: WorkspaceStorage,
  { name, onBehalfOf, authorizationId, ofWorkspace, task }: Principal,
  now: Date,
): Promise<string | undefined> {
  if (onBehalfOf === undefined) return undefined;
  if (authorizationId !== undefined && (await workspace.authorizations.find(authorizationId))?.status !== 'exchanged')
    return `The program is no longer authorised to act for ${onBehalfOf.name}`;
  // A person who assigns an issue to an agent always belongs to the workspace.
  const isKnown = ofWorkspace === true || task !== undefined || (await findPerson(workspace, onBehalfOf)) !== undefined;
  if (!isKnown || !(await mayNotActFor(workspace, onBehalfOf, now))) return undefined;
  return `${onBehalfOf.name} may no longer act as the agent ${name}`;
}

/** Whether agents may no longer act for this person or key: they were removed, are disabled, lack the right to that, or have ended. */
export async function mayNotActFor(workspace: WorkspaceStorage, whom: PrincipalRef, now: Date): Promise<boolean> {
  const found = await findPerson(workspace, whom);
  if (found === undefined) return whom.kind !== 'agent';
  if ('status' in found) return found.status === 'disabled' || !readRole(found).permissions.includes('agents:act');
  return !isLive(found, now);
}

async function findPerson(workspace: WorkspaceStorage, { kind, id }: PrincipalRef) {
  if (kind === 'user') return workspace.findUser(id);
  return kind === 'api_key' ? workspace.findCredential(id) : undefined;
}

/** The rights of `given` as a text; undefined unless they include those of `principal`. */
function compareRights(given: Principal, { permissions, ownAccountsOnly }: Principal): string | undefined {
  const isNarrower = given.ownAccountsOnly === true && ownAccountsOnly !== true;
  if (isNarrower || !permissions.every((one) => given.permissions.includes(one))) return undefined;
  return JSON.stringify([given.ownAccountsOnly === true, given.onBehalfOf?.id, given.permissions]);
}

/** The caller that a person authorized, at one address only. */
async function letIn(storage: Storage, found: Principal, credential: Credential) {
  const { authorizationId = '' } = credential;
  const authorization = await storage.workspace(found.workspaceId).authorizations.find(authorizationId);
  if (authorization?.status !== 'exchanged') throw unauthenticated();
  return { principal: asProgram(found, credential, authorization), resource: authorization.resource };
}

/**
 * The agent, acting for the person who authorized the program, with the authorized permissions; or that person, with those
 * permissions that the person still has. An agent has no `credentialId` then, because its runs outlive the token.
 */
function asProgram(found: Principal, credential: Credential, { id, user }: Authorization): Principal {
  const { kind, permissions } = credential;
  if (kind === 'agent_token')
    return { ...found, permissions, onBehalfOf: user, ofWorkspace: true, authorizationId: id };
  const kept = found.permissions.filter((permission) => permissions.includes(permission));
  return { ...found, permissions: kept, credentialId: credential.id, authorizationId: id };
}

async function getPrincipal(
  storage: Storage,
  workspaceId: string,
  credential: Credential,
): Promise<Principal | undefined> {
  if (credential.kind === 'api_key') {
    const { id, name } = credential;
    return { kind: 'api_key', id, name, workspaceId, ofWorkspace: true, ...readKey(credential) };
  }
  // Accepted only where tokens are renewed.
  if (credential.kind === 'refresh_token') return undefined;
  if (credential.kind === 'agent_token') {
    const agent = await storage.workspace(workspaceId).findAgent(credential.principalId);
    return agent && agentPrincipal(agent, workspaceId);
  }
  const user = await storage.workspace(workspaceId).findUser(credential.principalId);
  if (user === undefined || user.status === 'disabled') return undefined;
  return { kind: 'user', id: user.id, name: user.name, workspaceId, ofWorkspace: true, ...readRole(user) };
}

/**
 * A valid token at an address that it was not issued for. The caller learns no more than about any bad token; the audit
 * record does.
 */
export class Misdirected extends Error {
  override readonly name = 'Misdirected';
  readonly principal: Principal;

  constructor(principal: Principal) {
    super('A token was presented at an address that it was not issued for');
    this.principal = principal;
  }
}

interface Remembered {
  readonly principal: Principal;
  readonly kind: Credential['kind'];
  readonly resource: string | undefined;
  /** Milliseconds since 1970, as `until`. */
  readonly since: number;
  readonly until: number;
}

interface Found {
  readonly principal: Principal;
  readonly credential: Credential;
  /** The one address at which the credential is valid. */
  readonly resource: string | undefined;
}

function at({ principal, resource }: Remembered, shownAt: string | undefined): Principal {
  if (resource !== undefined && resource !== shownAt) throw unauthenticated(new Misdirected(principal));
  return principal;
}

function findEnd({ expiresAt }: Credential): number {
  return expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(expiresAt);
}

/** The same answer for every cause, so that callers cannot tell which it was. */
function unauthenticated(cause?: Misdirected): HelveError {
  return new HelveError('unauthenticated', 'The credential is missing, unknown, revoked or expired', {
    hint: 'Send a valid token: Authorization: Bearer helve_…',
    cause,
  });
}
