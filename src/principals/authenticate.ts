/** From a secret to a principal. Remembered for a second, so that a busy agent does not pay a look-up for every call. */
import { HelveError } from '../spec/errors.js';
import { agentPrincipal, allPermissions, type Credential, type Principal } from '../spec/principal.js';
import type { Storage } from '../spec/storage.js';
import { sha256 } from '../util/hash.js';
import { isLive, secretShape } from './secrets.js';

export interface Authenticator {
  /** Throws `unauthenticated`. */
  authenticate(secret: string): Promise<Principal>;
  /** Throws `unauthenticated`; a link is good once. */
  takeLink(secret: string): Promise<Principal>;
  /** Forgets what is remembered about a workspace: something there changed. */
  forget(workspaceId: string): void;
}

const rememberMs = 1_000;
const mostRemembered = 10_000;

export function createAuthenticator(storage: Storage, now: () => Date): Authenticator {
  const remembered = new Map<string, { principal: Principal; until: number }>();

  async function look(secret: string): Promise<{ principal: Principal; credential: Credential }> {
    if (!secretShape.test(secret)) throw unauthenticated();
    const found = await storage.system.findCredential(sha256(secret));
    if (!found || !isLive(found.credential, now())) throw unauthenticated();
    const principal = await principalOf(found.workspaceId, found.credential);
    if (!principal) throw unauthenticated();
    return { principal, credential: found.credential };
  }

  async function principalOf(workspaceId: string, credential: Credential): Promise<Principal | undefined> {
    if (credential.kind === 'api_key') {
      const { id, name, permissions } = credential;
      return { kind: 'api_key', id, name, workspaceId, permissions };
    }
    if (credential.kind === 'agent_token') {
      const agent = await storage.workspace(workspaceId).findAgent(credential.principalId);
      return agent && agentPrincipal(agent, workspaceId);
    }
    const user = await storage.workspace(workspaceId).findUser(credential.principalId);
    return user && { kind: 'user', id: user.id, name: user.name, workspaceId, permissions: allPermissions };
  }

  return {
    async authenticate(secret) {
      const time = now().getTime();
      const known = remembered.get(secret);
      if (known && known.until > time) return known.principal;
      const { principal, credential } = await look(secret);
      if (credential.kind === 'admin_link') throw unauthenticated();
      if (remembered.size >= mostRemembered) remembered.clear();
      remembered.set(secret, { principal, until: time + rememberMs });
      return principal;
    },
    async takeLink(secret) {
      const { principal, credential } = await look(secret);
      if (credential.kind !== 'admin_link') throw unauthenticated();
      const taken = await storage.workspace(principal.workspaceId).takeCredential(credential.id, now().toISOString());
      if (!taken) throw unauthenticated();
      return principal;
    },
    forget(workspaceId) {
      for (const [secret, { principal }] of remembered)
        if (principal.workspaceId === workspaceId) remembered.delete(secret);
    },
  };
}

/** One answer for every cause: which it was is nobody's business. */
function unauthenticated(): HelveError {
  return new HelveError('unauthenticated', 'The credential is missing, unknown, revoked or expired', {
    hint: 'Send a valid token: Authorization: Bearer helve_…',
  });
}
