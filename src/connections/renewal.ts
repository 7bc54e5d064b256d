/**
 * Renews credentials once, however many calls and processes want it: with a lock in the store that outlives the slowest
 * token endpoint, and a second look at the stored content once the lock is held. A caller that finds the lock taken
 * waits for what its holder writes. Locks and pauses use the store's clock, because the clocks of hosts differ.
 */
import { performance } from 'node:perf_hooks';
import { HelveError, toHelveError } from '../domain/errors.js';
import type { RenewalPause, SecretContent, SecretTable, StoredSecret } from '../domain/storage.js';
import { newId } from '../util/hash.js';
import type { CredentialContent } from './content.js';

/** Maximum wait for a token endpoint. */
export const tradeTimeoutMs = 90_000;
/** Much longer than that, so that no process takes the lock from a running renewal. */
const lockMs = 150_000;
/** The pause after the first failure. Each further failure doubles it, up to the maximum. */
const firstPauseMs = 3_000;
const maxPauseMs = 5 * 60_000;
/** However long a server asks to be left alone, it is tried once in this time. */
const maxRequestedMs = 60 * 60_000;
const firstLookMs = 25;
const lastLookMs = 400;
/** Between two tries to store what was renewed. */
const maxKeepPauseMs = 2_000;

export interface LockParts {
  readonly secrets: SecretTable;
  readonly subject: string;
  readonly instanceId: string;
  /** The store's clock. */
  readonly clock: () => Promise<Date>;
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** Shows the other processes that this one is alive: they take the lock of a dead one. */
  readonly ensureSeen: () => Promise<void>;
  /** Whether the process that holds a lock is still running. */
  readonly isAlive: (instanceId: string) => Promise<boolean>;
}

export interface RenewalParts extends LockParts {
  /** From 0 to 1, to spread the accounts of one server over time. */
  readonly random?: () => number;
  readonly open: (secret: StoredSecret) => Promise<CredentialContent>;
  readonly seal: (content: CredentialContent) => Promise<SecretContent>;
  readonly isUsable: (content: CredentialContent) => boolean;
  /** Calls the token endpoint. An error may carry `details.retryAfterSeconds`. */
  readonly trade: (content: CredentialContent) => Promise<CredentialContent>;
  /** Whether this error of `trade` means that the account must be connected again; any other may be temporary. */
  readonly ends: (error: HelveError) => boolean;
  /** Called with what was renewed for an account that was disconnected meanwhile, so that nobody else will revoke it. Must not throw. */
  readonly discard: (content: CredentialContent) => Promise<void>;
  /** Called when the account can no longer be renewed. */
  readonly broken: (reason: string) => Promise<never>;
}

/**
 * Waits for a renewal that has begun, and returns the content after it; undefined if there is none. No other renewal begins until
 * the content is replaced or `release` is called. Throws `timeout` if the lock is not to be had.
 */
export async function heldContent(
  parts: LockParts,
): Promise<{ readonly stored: StoredSecret; readonly release: () => Promise<void> } | undefined> {
  const holder = `${parts.instanceId}:${newId()}`;
  const patience = performance.now() + lockMs;
  for (let look = firstLookMs; ; look = Math.min(look * 1.5, lastLookMs)) {
    const stored = await parts.secrets.find(parts.subject);
    if (!stored) return undefined;
    const locked = await lock(parts, holder, stored);
    if (locked) return { stored: locked, release: () => parts.secrets.unlock(parts.subject, holder, locked.pause) };
    if (performance.now() > patience) throw new HelveError('timeout', 'The renewal of the account takes too long');
    await parts.sleep(look);
  }
}

async function lock(parts: LockParts, holder: string, stored: StoredSecret): Promise<StoredSecret | undefined> {
  await parts.ensureSeen();
  const now = await parts.clock();
  return parts.secrets.lock(parts.subject, {
    holder,
    now: now.toISOString(),
    until: new Date(now.getTime() + lockMs).toISOString(),
    dead: await deadHolder(parts, stored),
  });
}

/** Returns content that can be used now. */
export async function renewed(parts: RenewalParts): Promise<CredentialContent> {
  const holder = `${parts.instanceId}:${newId()}`;
  const patience = performance.now() + lockMs + tradeTimeoutMs;
  for (let look = firstLookMs; ; look = Math.min(look * 1.5, lastLookMs)) {
    const stored = await parts.secrets.find(parts.subject);
    if (!stored) return parts.broken('its credentials no longer exist');
    const content = await parts.open(stored);
    if (parts.isUsable(content)) return content;
    refuseWhilePausing(stored.pause, await parts.clock());
    if (performance.now() > patience) throw new HelveError('timeout', 'The access token was not renewed in time');
    const locked = await lock(parts, holder, stored);
    if (locked) return renewLocked(parts, holder, locked);
    await parts.sleep(look);
  }
}

async function renewLocked(parts: RenewalParts, holder: string, locked: StoredSecret): Promise<CredentialContent> {
  const free = (pause?: RenewalPause): Promise<void> => parts.secrets.unlock(parts.subject, holder, pause);
  const content = await parts.open(locked).catch(async (thrown: unknown) => {
    await free(locked.pause);
    throw thrown;
  });
  if (parts.isUsable(content)) {
    await free();
    return content;
  }
  let fresh: CredentialContent;
  try {
    fresh = await parts.trade(content);
  } catch (thrown) {
    const error = toHelveError(thrown);
    if (!parts.ends(error)) {
      await free(nextPause(parts, locked.pause, error, await parts.clock()));
      throw error;
    }
    // If the account was connected again while the old token was refused, that is no failure of the new credentials.
    const stands = await parts.secrets.find(parts.subject);
    if (stands && stands.lock?.holder !== holder) return parts.open(stands);
    await free();
    return parts.broken(error.message);
  }
  if (await keep(parts, holder, fresh)) return fresh;
  // The account was connected again or removed meanwhile: the stored content now decides.
  const stored = await parts.secrets.find(parts.subject);
  if (stored) return parts.open(stored);
  await parts.discard(fresh);
  return parts.broken('it was disconnected meanwhile');
}

/**
 * Stores the new content. If the store cannot be reached, it tries again while the lock is held, because many servers no longer
 * accept the old refresh token. Returns false if the lock was lost, or if an earlier attempt had stored the content.
 */
async function keep(parts: RenewalParts, holder: string, fresh: CredentialContent): Promise<boolean> {
  const end = performance.now() + lockMs - tradeTimeoutMs;
  for (let pause = firstLookMs; ; pause = Math.min(pause * 2, maxKeepPauseMs)) {
    try {
      const sealed = await parts.seal(fresh);
      const at = (await parts.clock()).toISOString();
      return await parts.secrets.renew(parts.subject, holder, sealed, at);
    } catch (thrown) {
      if (performance.now() + pause > end) throw thrown;
      await parts.sleep(pause);
    }
  }
}

async function deadHolder(parts: LockParts, { lock }: StoredSecret): Promise<readonly string[]> {
  if (!lock) return [];
  const [instanceId = ''] = lock.holder.split(':');
  return (await parts.isAlive(instanceId)) ? [] : [lock.holder];
}

/**
 * The pause that the server asks for, or one that grows with each failure; randomly a little longer, so that not all
 * accounts ask at the same time.
 */
function nextPause(
  { random = Math.random }: RenewalParts,
  before: RenewalPause | undefined,
  { details }: HelveError,
  now: Date,
): RenewalPause {
  const failures = (before?.failures ?? 0) + 1;
  const grown = Math.min(firstPauseMs * 2 ** Math.min(failures - 1, 20), maxPauseMs);
  const seconds = typeof details?.retryAfterSeconds === 'number' ? details.retryAfterSeconds : 0;
  const wished = Math.min(seconds * 1_000, maxRequestedMs);
  const pauseMs = Math.max(grown * (1 + random() / 2), wished * (1 + random() / 10));
  return { since: now.toISOString(), until: new Date(now.getTime() + pauseMs).toISOString(), failures };
}

/**
 * A time before the pause began means that the clock was set back: the elapsed time is then unknown, so a request is
 * allowed.
 */
function refuseWhilePausing(pause: RenewalPause | undefined, now: Date): void {
  const at = now.toISOString();
  if (!pause || at < pause.since || at >= pause.until) return;
  const seconds = Math.ceil((Date.parse(pause.until) - now.getTime()) / 1_000);
  throw new HelveError('upstream_failed', 'The access token could not be renewed just now', {
    hint: `Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
    details: { retryAfterSeconds: seconds },
  });
}
