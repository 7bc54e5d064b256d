/** The connections to one server: one for each account, so that no account uses another's session; limited in number. */
import type { BoundConnection } from '../../domain/connection.js';
import { createBoundedFetch, type FetchLike } from './bounded-fetch.js';
import { type LinkOptions, openLink } from './link.js';
import { createServerSession, type ServerSession } from './server-session.js';
import { createServiceFetch } from './service-fetch.js';
import { fillTemplate, getTitle, type McpServerSource, needsAccount } from './source.js';

export interface AccountSessions {
  /** Without an account: shared by all. */
  of(account: BoundConnection | undefined): ServerSession;
  close(): Promise<void>;
}

export type SessionEvents = Pick<LinkOptions, 'onListChanged' | 'onOver' | 'onEnd'>;

const maxSessions = 100;
const idleMs = 30 * 60_000;
const sweepMs = 60_000;

/** Returns the sessions of one server. They are opened at first use. */
export function createAccountSessions(
  source: McpServerSource,
  fetch: FetchLike,
  events: SessionEvents,
): AccountSessions {
  const sessions = new Map<string, ServerSession>();
  // The session of a server without accounts is never dropped: the server may rely on its state.
  const sweep = needsAccount(source) ? setInterval(() => closeIdle(sessions), sweepMs).unref() : undefined;
  return {
    of(account) {
      const key = account?.facts.id ?? '';
      const known = sessions.get(key);
      if (known) return known;
      makeRoom(sessions);
      const session = createServerSession(getTitle(source), (knownLegacy, closing) =>
        openLink({ source, closing, ...fetchFor(source, account, fetch), ...events }, knownLegacy),
      );
      sessions.set(key, session);
      return session;
    },
    async close() {
      clearInterval(sweep);
      await Promise.all([...sessions.values()].map((session) => session.close()));
    },
  };
}

/** How an account's requests are sent, and whether responses can be read while they are written. */
function fetchFor(
  source: McpServerSource,
  account: BoundConnection | undefined,
  fetch: FetchLike,
): Pick<LinkOptions, 'fetch' | 'streams'> {
  const { transport, auth } = source;
  const server = getTitle(source);
  if (transport.kind === 'http' && (auth === 'oauth' || auth === 'client_credentials') && account) {
    const byService = createServiceFetch(transport.url, account);
    return { fetch: createBoundedFetch({ fetch: byService, server, headers: async () => ({}) }), streams: false };
  }
  const headers = async (): Promise<Readonly<Record<string, string>>> =>
    typeof auth === 'object' && account ? { [auth.header]: fillTemplate(auth.value, await account.fields()) } : {};
  return { fetch: createBoundedFetch({ fetch, server, headers }), streams: true };
}

/** Closes the session that was unused for longest if there are too many. */
function makeRoom(sessions: Map<string, ServerSession>): void {
  if (sessions.size < maxSessions) return;
  const idle = [...sessions].filter(([, session]) => !session.busy).sort(([, a], [, b]) => a.lastUsed - b.lastUsed);
  const [oldest] = idle;
  if (!oldest) return;
  sessions.delete(oldest[0]);
  void oldest[1].close();
}

function closeIdle(sessions: Map<string, ServerSession>): void {
  for (const [key, session] of sessions) {
    if (session.busy || Date.now() - session.lastUsed < idleMs) continue;
    sessions.delete(key);
    void session.close();
  }
}
