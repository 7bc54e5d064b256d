/**
 * Looks in the store for news about the sessions of this process: messages that other processes have left for their
 * calls, sessions with open streams that have ended elsewhere, and changed wishes of clients. Drops idle sessions from
 * this process; they stay in the store.
 */
import type { McpSessions } from '../../domain/mcp-session.js';
import { poll } from '../../util/poll.js';
import type { Session } from './session.js';

/** The longest time that a message of another process waits: a person's answer, or a cancellation. */
const pollMs = 200;
/** The number of looks for messages for each look for ended sessions and new wishes. */
const looksPerCheck = 5;

export function watchSessions(
  kept: McpSessions,
  sessions: ReadonlyMap<string, Session>,
  idleMs: number,
): { close(): void } {
  let turn = 0;
  let keptAt = Date.now();

  async function look(): Promise<void> {
    const isCheck = turn++ % looksPerCheck === 0;
    const all = [...sessions.values()];
    const concerned = all.filter((session) => session.expectsMessages || (isCheck && session.busy));
    if (concerned.length === 0) return;
    const { live, messages } = await kept.look(concerned.map(({ id }) => id));
    for (const { id, sessionId, body } of messages) sessions.get(sessionId)?.receive(id, body);
    for (const session of concerned) {
      const wishes = live.get(session.id);
      await (wishes === undefined ? session.close() : session.follow(wishes));
    }
  }

  async function keepBusy(): Promise<void> {
    if (Date.now() - keptAt < idleMs / 4) return;
    keptAt = Date.now();
    const busy = [...sessions.values()].filter((session) => session.busy);
    if (busy.length > 0)
      await kept.keep(
        busy.map(({ id }) => id),
        idleMs,
      );
  }

  function dropIdle(): void {
    const before = Date.now() - idleMs;
    for (const session of sessions.values())
      if (session.lastUsed < before && !session.busy) session.close().catch(() => undefined);
  }

  // Calls report that the store is unavailable.
  return poll(async () => {
    dropIdle();
    await keepBusy();
    await look();
  }, pollMs);
}
