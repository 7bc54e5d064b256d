/** Maintains one connection: opens it on demand, and again when it has ended, with a pause that grows while this fails. */
import { setTimeout as sleep } from 'node:timers/promises';
import { HelveError } from '../../domain/errors.js';
import { helveErrorIn, unreachable } from './failures.js';
import type { CutOff, Link } from './link.js';

export interface LinkKeeper {
  /** `fresh`: it was opened for this caller, so nothing about it can be stale. */
  get(): Promise<{ readonly link: Link; readonly fresh: boolean }>;
  /** Discards it: the next caller gets another. */
  forget(link: Link): void;
  /** Reports that it answered. */
  worked(): void;
  close(): Promise<void>;
}

const firstPauseMs = 250;
const maxPauseMs = 30_000;
/** A caller waits for a short pause; for a longer one it gets an error. */
const patienceMs = 1_000;
/**
 * How long a server that sent too many notifications is left alone; twice as long each further time. Without
 * the pause every call would start it again, only to be flooded again.
 */
const firstCutOffMs = 30_000;
const maxCutOffMs = 10 * 60_000;
/** A server that was not cut off for this long starts with the first pause again. */
const forgivenMs = 60 * 60_000;

/** `closing` is aborted when the keeper is closed, which ends a connection that is being opened. */
export type OpenLink = (knownLegacy: boolean, closing: AbortSignal) => Promise<Link>;

/** Returns a keeper that opens connections with `open`. `server` names the server in errors. */
export function createLinkKeeper(server: string, open: OpenLink): LinkKeeper {
  const pause = createPause(server);
  let current: Promise<Link> | undefined;
  let live: Link | undefined;
  let knownLegacy = false;
  const closing = new AbortController();

  function forget(link: Link): void {
    if (live !== link) return;
    if (link.cutOff) pause.wasCutOff(link.cutOff);
    else pause.failed();
    live = undefined;
    current = undefined;
    void link.close();
  }

  async function connect(): Promise<Link> {
    await pause.over(closing.signal);
    if (closing.signal.aborted) throw closedError(server);
    try {
      const link = await open(knownLegacy, closing.signal);
      if (closing.signal.aborted) {
        await link.close();
        throw closedError(server);
      }
      knownLegacy = link.client.getProtocolEra() === 'legacy';
      live = link;
      return link;
    } catch (error) {
      pause.failed();
      knownLegacy = false;
      throw helveErrorIn(error) ?? unreachable(server, error);
    }
  }

  return {
    async get() {
      if (closing.signal.aborted) throw closedError(server);
      if (live && !live.alive) forget(live);
      if (live) return { link: live, fresh: false };
      current ??= connect();
      const mine = current;
      // Forgotten if it fails, so that the next caller tries again.
      mine.catch(() => {
        if (current === mine) current = undefined;
      });
      return { link: await mine, fresh: true };
    },
    forget,
    worked: () => pause.reset(),
    async close() {
      closing.abort();
      const link = live ?? (await current?.catch(() => undefined));
      live = undefined;
      await link?.close();
    },
  };
}

interface Pause {
  failed(): void;
  wasCutOff(cutOff: CutOff): void;
  reset(): void;
  /** Waits, at most until `closing` is aborted. Throws `upstream_failed` if the pause is too long to wait. */
  over(closing: AbortSignal): Promise<void>;
}

function createPause(server: string): Pause {
  let failures = 0;
  let until = 0;
  let cutOffMs = 0;
  let lastCutOff: CutOff | undefined;
  return {
    failed() {
      failures += 1;
      // A single end is normal: a session expired, or the owner ended the child process.
      const pauseMs = failures === 1 ? 0 : Math.min(maxPauseMs, firstPauseMs * 2 ** (failures - 2));
      until = Date.now() + pauseMs;
    },
    wasCutOff(cutOff) {
      const isForgiven = !lastCutOff || cutOff.at - lastCutOff.at > forgivenMs;
      cutOffMs = isForgiven ? firstCutOffMs : Math.min(maxCutOffMs, cutOffMs * 2);
      lastCutOff = cutOff;
    },
    reset() {
      failures = 0;
    },
    async over(closing) {
      const cutOffLeft = lastCutOff ? lastCutOff.at + cutOffMs - Date.now() : 0;
      if (lastCutOff && cutOffLeft > 0) {
        throw new HelveError('upstream_failed', lastCutOff.error.message, {
          hint: 'Try again later, or ask the operator to check the server.',
          details: { retryAfterSeconds: Math.ceil(cutOffLeft / 1_000) },
        });
      }
      const left = until - Date.now();
      if (left > patienceMs) {
        throw new HelveError('upstream_failed', `The MCP server ${server} has failed ${failures} times`, {
          hint: 'Try again later.',
          details: { retryAfterSeconds: Math.ceil(left / 1_000) },
        });
      }
      if (left > 0) await sleep(left, undefined, { signal: closing }).catch(() => undefined);
    },
  };
}

function closedError(server: string): HelveError {
  return new HelveError('shutting_down', `The connection to ${server} has been closed`);
}
