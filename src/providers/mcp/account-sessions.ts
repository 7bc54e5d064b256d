/**
 * The connections to one server: a limited number, and one for each account, so that no account uses another's session,
 * nor the session of a previous owner of the same connection. The calls of an account share its connection, but each
 * request is sent with the account as it is bound to its own call: what a call has sent is removed from its answer, and
 * stopping a call stops only its own requests.
 */
import type { BoundConnection } from '../../domain/connection.js';
import { type AsyncContext, createAsyncContext } from '../../util/async-context.js';
import { createBoundedFetch, type FetchLike } from './bounded-fetch.js';
import { type LinkOptions, openLink } from './link.js';
import { createServerSession, type ServerSession } from './server-session.js';
import { createServiceFetch } from './service-fetch.js';
import { fillTemplate, getTitle, type McpServerSource, needsAccount } from './source.js';

export interface AccountSessions {
  /** `account`: as it is bound to the caller. Without an account, the session is shared by all. */
  of(account: BoundConnection | undefined): Pick<ServerSession, 'use'>;
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
  const callers = createAsyncContext<BoundConnection>();
  // The session of a server without accounts is never dropped: the server may rely on its state.
  const sweep = needsAccount(source) ? setInterval(() => closeIdle(sessions), sweepMs).unref() : undefined;
  return {
    of(account) {
      // A server recognises by the session who has opened it, and somebody else may have signed in since.
      const key = account ? JSON.stringify([account.facts.id, account.facts.connectedAt]) : '';
      const known = sessions.get(key);
      if (known) return forCaller(known, account, callers);
      makeRoom(sessions);
      const session = createServerSession(getTitle(source), (knownLegacy, closing) =>
        openLink({ source, closing, ...fetchFor(source, account, { fetch, callers }), ...events }, knownLegacy),
      );
      sessions.set(key, session);
      return forCaller(session, account, callers);
    },
    async close() {
      clearInterval(sweep);
      await Promise.all([...sessions.values()].map((session) => session.close()));
    },
  };
}

/** The session, whose requests are sent with this account as it is bound to its caller. */
function forCaller(
  session: ServerSession,
  account: BoundConnection | undefined,
  callers: AsyncContext<BoundConnection>,
): Pick<ServerSession, 'use'> {
  if (!account) return session;
  return { use: (signal, prepare, act) => callers.run(account, () => session.use(signal, prepare, act)) };
}

interface Sending {
  readonly fetch: FetchLike;
  readonly callers: AsyncContext<BoundConnection>;
}

/**
 * How an account's requests are sent, and whether responses can be read while they are written. `opener`: the account as it is bound
 * to the call that opens the session, for requests that belong to no call.
 */
function fetchFor(
  source: McpServerSource,
  opener: BoundConnection | undefined,
  { fetch, callers }: Sending,
): Pick<LinkOptions, 'fetch' | 'streams'> {
  const { transport, auth } = source;
  const server = getTitle(source);
  if (transport.kind === 'http' && (auth === 'oauth' || auth === 'client_credentials') && opener) {
    const byService: FetchLike = (target, init) =>
      createServiceFetch(transport.url, callers.find() ?? opener)(target, init);
    return { fetch: createBoundedFetch({ fetch: byService, server, headers: async () => ({}) }), streams: false };
  }
  const headers = async (): Promise<Readonly<Record<string, string>>> => {
    const account = callers.find() ?? opener;
    return typeof auth === 'object' && account
      ? { [auth.header]: fillTemplate(auth.value, await account.fields()) }
      : {};
  };
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
