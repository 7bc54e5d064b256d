/**
 * The transport sessions of 2025-era clients: limited in number, dropped when idle, and each visible
 * only to the principal that opened it.
 */
import { randomUUID } from 'node:crypto';
import type { Principal } from '../../domain/principal.js';
import { createEventLog } from './event-log.js';
import type { McpParts } from './parts.js';
import { principalKey } from './principal.js';
import { refusals } from './replies.js';
import { openSession, type Session } from './session.js';

export interface Sessions {
  /** Undefined if the request names no session. */
  handle(request: Request, principal: Principal, body: unknown): Promise<Response> | undefined;
  open(request: Request, principal: Principal, body: unknown): Promise<Response>;
  readonly size: number;
  close(): Promise<void>;
}

export interface SessionLimits {
  readonly maxSessions: number;
  readonly maxPerPrincipal: number;
  readonly idleMs: number;
}

const usualLimits: SessionLimits = { maxSessions: 1_000, maxPerPrincipal: 200, idleMs: 30 * 60_000 };

export function createSessions(parts: McpParts, limits: SessionLimits = usualLimits): Sessions {
  const sessions = new Map<string, Session>();
  const log = createEventLog();
  const sweep = setInterval(dropIdle, Math.min(limits.idleMs, 60_000));
  sweep.unref();

  function dropIdle(): void {
    const before = Date.now() - limits.idleMs;
    for (const session of sessions.values()) {
      if (session.lastUsed < before && !session.busy) session.close().catch(() => undefined);
    }
  }

  function makeRoom(owner: string): void {
    const own = [...sessions.values()].filter((session) => session.owner === owner);
    const crowd = own.length >= limits.maxPerPrincipal ? own : [...sessions.values()];
    if (crowd === own || crowd.length >= limits.maxSessions)
      leastNeeded(crowd)
        ?.close()
        .catch(() => undefined);
  }

  return {
    handle(request, principal, body) {
      const id = request.headers.get('mcp-session-id');
      if (id === null) return undefined;
      const session = sessions.get(id);
      if (session === undefined || session.owner !== principalKey(principal)) {
        return Promise.resolve(refusals.noSession());
      }
      session.lastUsed = Date.now();
      return session.handle(request, principal, body);
    },
    async open(request, principal, body) {
      const owner = principalKey(principal);
      makeRoom(owner);
      const id = randomUUID();
      const session = await openSession(parts, log, id, principal, () => sessions.delete(id));
      sessions.set(id, session);
      const response = await session.handle(request, principal, body);
      if (!response.ok) await session.close();
      return response;
    },
    get size() {
      return sessions.size;
    },
    async close() {
      clearInterval(sweep);
      await Promise.all([...sessions.values()].map((session) => session.close()));
    },
  };
}

function leastNeeded(sessions: readonly Session[]): Session | undefined {
  return [...sessions].sort(
    (left, right) => Number(left.busy) - Number(right.busy) || left.lastUsed - right.lastUsed,
  )[0];
}
