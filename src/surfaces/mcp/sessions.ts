/**
 * The transport sessions of 2025-era clients: limited in number, ended when idle, and each visible only to the
 * principal that opened it. The store has their data; this process holds only those that it has served lately, and
 * recreates another one from the store when a request comes for it.
 */
import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../domain/json.js';
import type { McpCaller, McpDoorStore } from '../../domain/mcp-session.js';
import type { Principal } from '../../domain/principal.js';
import { createEventLog } from './event-log.js';
import type { McpParts } from './parts.js';
import { principalKey } from './principal.js';
import { refusals } from './replies.js';
import { openSession, type Session } from './session.js';
import { watchSessions } from './watch-sessions.js';
import { changeWishes, noWishes } from './wishes.js';

export interface Sessions {
  /** Undefined if the request names no session. */
  handle(request: Request, principal: Principal, body: unknown): Promise<Response> | undefined;
  open(request: Request, principal: Principal, body: unknown): Promise<Response>;
  /** The sessions that this process holds. */
  readonly size: number;
  close(): Promise<void>;
}

export interface SessionLimits {
  /** Maximum number in this process. */
  readonly maxSessions: number;
  /** Maximum number in the whole store. */
  readonly maxPerPrincipal: number;
  readonly idleMs: number;
}

interface Received {
  readonly request: Request;
  readonly body: unknown;
}

const usualLimits: SessionLimits = { maxSessions: 1_000, maxPerPrincipal: 200, idleMs: 30 * 60_000 };
/** After this long the store is asked again whether a session has ended elsewhere. */
const trustMs = 500;

export function createSessions(
  parts: McpParts,
  { kept, door }: McpDoorStore,
  limits: SessionLimits = usualLimits,
): Sessions {
  const sessions = new Map<string, Session>();
  const restoring = new Map<string, Promise<Session | undefined>>();
  const log = createEventLog();
  const watch = watchSessions(kept, sessions, limits.idleMs);

  /** Drops the least needed session from this process. It stays in the store. */
  function makeRoom(): void {
    if (sessions.size >= limits.maxSessions) drop(leastNeeded([...sessions.values()]));
  }

  async function start(caller: McpCaller, id: string): Promise<Session> {
    makeRoom();
    const { principal } = caller;
    const post = (body: JsonObject): Promise<void> => kept.post(caller, { sessionId: id, body });
    const session = await openSession({ parts, log, id, principal, post, onClose: () => sessions.delete(id) });
    sessions.set(id, session);
    return session;
  }

  /** The session as it is in the store now; undefined if it has ended. */
  async function restore(caller: McpCaller, id: string): Promise<Session | undefined> {
    const stored = await kept.find(caller, id, limits.idleMs);
    const known = sessions.get(id);
    if (stored === undefined) {
      // Another caller's request says nothing about the session.
      if (known?.owner === principalKey(caller.principal)) drop(known);
      return undefined;
    }
    const session = known ?? (await start(caller, id));
    if (known === undefined) await repeatHello(session, caller, stored.hello);
    session.lastSeen = Date.now();
    await session.follow(stored.wishes);
    return session;
  }

  async function findSession(caller: McpCaller, id: string): Promise<Session | undefined> {
    const known = sessions.get(id);
    if (known !== undefined && known.owner !== principalKey(caller.principal)) return undefined;
    if (known !== undefined && known.lastSeen > Date.now() - trustMs) return known;
    const key = `${id} ${principalKey(caller.principal)}`;
    let found = restoring.get(key);
    if (found === undefined) {
      found = restore(caller, id).finally(() => restoring.delete(key));
      restoring.set(key, found);
    }
    return found;
  }

  async function serve(caller: McpCaller, id: string, { request, body }: Received): Promise<Response> {
    const session = await findSession(caller, id);
    if (session === undefined) return refusals.noSession();
    session.lastUsed = Date.now();
    if (request.method === 'DELETE') await kept.end(caller, id);
    const response = await session.handle(request, caller.principal, body);
    for (const change of (Array.isArray(body) ? body : [body]).map(changeWishes)) {
      const wishes = change && response.ok ? await kept.wish(caller, id, change) : undefined;
      if (wishes !== undefined) session.note(wishes);
    }
    return response;
  }

  return {
    handle(request, principal, body) {
      const id = request.headers.get('mcp-session-id');
      return id === null ? undefined : serve({ principal, door }, id, { request, body });
    },
    async open(request, principal, body) {
      const caller = { principal, door };
      const id = randomUUID();
      const session = await start(caller, id);
      const response = await session.handle(request, principal, body);
      if (!response.ok) {
        await session.close();
        return response;
      }
      const stored = { id, hello: body as JsonObject, wishes: noWishes };
      const ended = await kept.open(caller, stored, { max: limits.maxPerPrincipal, idleMs: limits.idleMs });
      for (const one of ended) drop(sessions.get(one));
      return response;
    },
    get size() {
      return sessions.size;
    },
    async close() {
      watch.close();
      await Promise.all([...sessions.values()].map((session) => session.close()));
    },
  };
}

/** Begins the session as its client has begun it in another process. The client has its answer already. */
async function repeatHello(session: Session, { principal }: McpCaller, hello: JsonObject): Promise<void> {
  const request = new Request('http://localhost/mcp', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  });
  const response = await session.handle(request, principal, hello);
  await response.text();
}

function drop(session: Session | undefined): void {
  session?.close().catch(() => undefined);
}

function leastNeeded(sessions: readonly Session[]): Session | undefined {
  return [...sessions].sort(
    (left, right) => Number(left.busy) - Number(right.busy) || left.lastUsed - right.lastUsed,
  )[0];
}
