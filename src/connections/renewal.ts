/**
 * One renewal, however many calls and processes want it: a lock in the store that outlives the slowest token endpoint,
 * and a second look at what is stored once it is held. Whoever finds the lock taken waits for what its holder writes.
 */
import { HelveError, toHelveError } from '../spec/errors.js';
import type { SecretContent, SecretTable, StoredSecret } from '../spec/storage.js';
import { newId } from '../util/hash.js';
import type { CredentialContent } from './content.js';

/** The longest that a token endpoint is waited for. */
export const tradeTimeoutMs = 90_000;
/** Longer than that by far, so that nobody takes the lock from a renewal that goes on. */
const lockMs = 150_000;
/** After a failure that may pass, nobody asks again before. */
const restMs = 3_000;
const firstLookMs = 25;
const lastLookMs = 400;

export interface RenewalParts {
  readonly secrets: SecretTable;
  readonly subject: string;
  readonly instanceId: string;
  readonly now: () => Date;
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** Whether the process behind a lock still runs. */
  readonly isAlive: (instanceId: string) => Promise<boolean>;
  readonly open: (secret: StoredSecret) => Promise<CredentialContent>;
  readonly seal: (content: CredentialContent) => Promise<SecretContent>;
  readonly isUsable: (content: CredentialContent) => boolean;
  /** The token endpoint. Throws `upstream_failed` or `timeout` for what may pass; anything else means that it will not. */
  readonly trade: (content: CredentialContent) => Promise<CredentialContent>;
  /** The account cannot be renewed any more. */
  readonly broken: (reason: string) => Promise<never>;
}

const passing = new Set([
  'upstream_failed',
  'timeout',
  'rate_limited',
  'shutting_down',
  'storage_failed',
  'egress_blocked',
]);

/** Content that can be used now. */
export async function renewed(parts: RenewalParts): Promise<CredentialContent> {
  const holder = `${parts.instanceId}:${newId()}`;
  const patience = parts.now().getTime() + lockMs + tradeTimeoutMs;
  for (let look = firstLookMs; ; look = Math.min(look * 1.5, lastLookMs)) {
    const stored = await parts.secrets.find(parts.subject);
    if (!stored) return parts.broken('its credentials are gone');
    const content = await parts.open(stored);
    if (parts.isUsable(content)) return content;
    const now = parts.now();
    if (stored.retryAt !== undefined && stored.retryAt > now.toISOString()) throw resting();
    if (now.getTime() > patience) throw new HelveError('timeout', 'The access token was not renewed in time');
    const locked = await parts.secrets.lock(parts.subject, {
      ...{ holder, now: now.toISOString(), until: new Date(now.getTime() + lockMs).toISOString() },
      dead: await deadHolder(parts, stored),
    });
    if (locked) return renewLocked(parts, holder, locked);
    await parts.sleep(look);
  }
}

async function renewLocked(parts: RenewalParts, holder: string, locked: StoredSecret): Promise<CredentialContent> {
  const free = (retryAt?: string): Promise<void> => parts.secrets.unlock(parts.subject, holder, retryAt);
  let fresh: CredentialContent;
  try {
    const content = await parts.open(locked);
    if (parts.isUsable(content)) {
      await free();
      return content;
    }
    fresh = await parts.trade(content);
  } catch (thrown) {
    const error = toHelveError(thrown);
    if (passing.has(error.code)) {
      await free(new Date(parts.now().getTime() + restMs).toISOString());
      throw error;
    }
    // Connected anew while the old one was refused: that is no failure of what stands there now.
    const stands = await parts.secrets.find(parts.subject);
    if (stands && stands.lock?.holder !== holder) return parts.open(stands);
    await free();
    return parts.broken(error.message);
  }
  const sealed = await parts.seal(fresh);
  if (await parts.secrets.renew(parts.subject, holder, sealed, parts.now().toISOString())) return fresh;
  // Connected anew meanwhile, or taken away: what stands there now is the truth.
  const stored = await parts.secrets.find(parts.subject);
  return stored ? parts.open(stored) : parts.broken('it was disconnected meanwhile');
}

async function deadHolder(parts: RenewalParts, { lock }: StoredSecret): Promise<readonly string[]> {
  if (!lock) return [];
  const [instanceId = ''] = lock.holder.split(':');
  return (await parts.isAlive(instanceId)) ? [] : [lock.holder];
}

function resting(): HelveError {
  return new HelveError('upstream_failed', 'The access token could not be renewed a moment ago', {
    hint: 'Try again in a few seconds.',
  });
}
