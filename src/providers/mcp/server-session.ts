/**
 * Work with one server for one account (or for all callers, if there are no accounts): on the existing connection,
 * and once more on a fresh one if that cannot repeat an effect.
 */
import { HelveError } from '../../domain/errors.js';
import { untilAborted } from '../../util/until-aborted.js';
import { helveErrorIn, isSessionLost, toFailure } from './failures.js';
import type { Link } from './link.js';
import { createLinkKeeper, type OpenLink } from './link-keeper.js';

export interface ServerSession {
  /**
   * Runs `prepare` and then `act` on the connection. `prepare` may run twice: if the connection turns out to be dead, both
   * start again on a fresh one, once. `act` starts again only if its server no longer knows
   * the session, and has therefore done nothing.
   */
  use<Prepared, Result>(
    signal: AbortSignal,
    prepare: (link: Link) => Promise<Prepared>,
    act: (link: Link, prepared: Prepared) => Promise<Result>,
  ): Promise<Result>;
  /** When it was last used, in milliseconds. */
  readonly lastUsed: number;
  readonly busy: boolean;
  close(): Promise<void>;
}

/** Returns a session that opens its connection at first use. */
export function createServerSession(server: string, open: OpenLink): ServerSession {
  const keeper = createLinkKeeper(server, open);
  let lastUsed = Date.now();
  let users = 0;

  /** One attempt; `again` starts another if one is left. */
  async function attempt<Prepared, Result>(
    signal: AbortSignal,
    prepare: (link: Link) => Promise<Prepared>,
    act: (link: Link, prepared: Prepared) => Promise<Result>,
    again: (() => Promise<Result>) | undefined,
  ): Promise<Result> {
    // The connection is shared: one caller that cancels does not end it.
    const { link, fresh } = await untilAborted(signal, 'The caller cancelled the call', () => keeper.get());
    let prepared: Prepared;
    try {
      prepared = await prepare(link);
    } catch (error) {
      if (helveErrorIn(error) || signal.aborted) throw toFailure(error, server, 'before');
      keeper.forget(link);
      if (fresh || !again) throw toFailure(error, server, 'before');
      return again();
    }
    try {
      const result = await act(link, prepared);
      keeper.worked();
      return result;
    } catch (error) {
      if (!isSessionLost(error)) throw toFailure(error, server, 'call');
      keeper.forget(link);
      if (!again) throw toFailure(error, server, 'before');
      return again();
    }
  }

  return {
    get lastUsed() {
      return lastUsed;
    },
    get busy() {
      return users > 0;
    },
    async use(signal, prepare, act) {
      users += 1;
      try {
        return await attempt(signal, prepare, act, () => attempt(signal, prepare, act, undefined));
      } catch (error) {
        // The reason for the abort is more informative than the resulting error.
        if (signal.aborted && signal.reason instanceof HelveError) throw signal.reason;
        throw error;
      } finally {
        users -= 1;
        lastUsed = Date.now();
      }
    },
    close: () => keeper.close(),
  };
}
