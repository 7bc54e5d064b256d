/** What processes on a store share to serve each other's MCP clients: see `domain/mcp-session.ts`. */
import type { McpCaller, McpMessage, McpSessions, StoredMcpSession } from '../../domain/mcp-session.js';
import type { PlaneParts } from '../../flows/parts.js';
import { defined } from '../../util/defined.js';
import { newId, sha256 } from '../../util/hash.js';
import type { SecretPlace } from '../../vault/index.js';

type Parts = Pick<PlaneParts, 'storage' | 'now' | 'authenticator' | 'accounts'>;

/** How long a message waits for the process that it concerns. */
const messageMs = 10 * 60_000;
/** The time of the last use is written this often per idle time, because many requests belong to one session. */
const usesPerIdle = 20;

export function createMcpSessions({ storage, now, authenticator, accounts: { vault } }: Parts): McpSessions {
  const table = ({ principal }: McpCaller) => storage.workspace(principal.workspaceId).mcpSessions;
  const after = (at: Date, ms: number): string => new Date(at.getTime() + ms).toISOString();

  const leave = (workspaceId: string, message: Omit<McpMessage, 'id'>): Promise<void> =>
    storage.workspace(workspaceId).mcpSessions.addMessage({ ...message, id: newId() }, after(now(), messageMs));

  /** Only sessions of this caller at this door. */
  async function findOwn(caller: McpCaller, id: string) {
    const session = await table(caller).find(id);
    const isOwn = session?.owner === getOwner(caller) && session.expiresAt > now().toISOString();
    return isOwn ? session : undefined;
  }

  /** Whether what the session was opened with is valid, though its caller has shown something else. */
  async function isValid({ principal }: McpCaller, { openedWith }: StoredMcpSession): Promise<boolean> {
    if (openedWith === undefined) return true;
    return (await authenticator.findRights({ ...principal, credentialId: openedWith })) !== undefined;
  }

  return {
    async open(caller, session, { max, idleMs }) {
      const [at, owner] = [now(), getOwner(caller)];
      const times = { usedAt: at.toISOString(), expiresAt: after(at, idleMs) };
      const openedWith = getSignIn(caller);
      await table(caller).insert({ ...session, owner, ...times, ...defined({ openedWith }) });
      const ended = (await table(caller).listOf(owner)).filter((id) => id !== session.id).slice(max - 1);
      await table(caller).remove(ended);
      return ended;
    },
    async find(caller, id, idleMs) {
      const session = await findOwn(caller, id);
      if (session === undefined) return undefined;
      if (session.openedWith !== getSignIn(caller) && !(await isValid(caller, session))) return undefined;
      const at = now();
      if (at.getTime() - Date.parse(session.usedAt) > idleMs / usesPerIdle)
        await table(caller).use(id, at.toISOString(), after(at, idleMs));
      return session;
    },
    async wish(caller, id, change) {
      // Requests of one client to several processes: each of them changes what the others have written.
      for (;;) {
        const session = await findOwn(caller, id);
        if (session === undefined) return undefined;
        const wishes = change(session.wishes);
        if (await table(caller).wish(id, session.wishes, wishes)) return wishes;
      }
    },
    async end(caller, id) {
      if (await findOwn(caller, id)) await table(caller).remove([id]);
    },
    async post(caller, message) {
      if (await findOwn(caller, message.sessionId)) await leave(caller.principal.workspaceId, message);
    },
    look: (ids) => storage.system.mcpSessions.look(ids, now().toISOString()),
    keep: (ids, idleMs) => {
      const at = now();
      return storage.system.mcpSessions.use(ids, at.toISOString(), after(at, idleMs));
    },
    seal: async (caller, text) => (await vault.seal(getPlace(caller), text)).sealed,
    unseal: (caller, sealed) => vault.open(getPlace(caller), { sealed }),
    boxes: {
      leave: (workspaceId, box, body) => leave(workspaceId, { sessionId: box, body }),
      async take(boxes) {
        const messages = await storage.system.mcpSessions.take(boxes);
        return messages.map(({ sessionId, body }) => ({ box: sessionId, body }));
      },
    },
  };
}

/** A text that is sealed for one caller at one door opens for no other. */
function getPlace(caller: McpCaller): SecretPlace {
  return { workspaceId: caller.principal.workspaceId, subject: `mcp_state:${getOwner(caller)}` };
}

/** The same for the same caller acting for the same person in the same workspace at the same door. */
function getOwner({ principal, door }: McpCaller): string {
  const { workspaceId, kind, id, onBehalfOf } = principal;
  return sha256(JSON.stringify([door, workspaceId, kind, id, onBehalfOf?.kind, onBehalfOf?.id]));
}

/**
 * What the caller's access ends with: its credential, or, for a program that a person authorized, the authorization, because
 * such a program renews its tokens.
 */
function getSignIn({ principal }: McpCaller): string | undefined {
  return principal.authorizationId ?? principal.credentialId;
}
