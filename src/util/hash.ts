/** Hashes and random secrets, in one place so that their form is the same everywhere. */
import { createHash, hash, randomBytes, randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

/** SHA-256 of UTF-8 text, in hexadecimal. */
export function sha256(text: string): string {
  return hash('sha256', text);
}

/** 256 random bits behind a readable prefix: `helve_agent_…`. */
export function newSecret(prefix: string): string {
  return `${prefix}_${randomBytes(32).toString('base64url')}`;
}

/**
 * An id that sorts by its time, like those of `newId`, and is always the same for the same name and time. `at`: ISO
 * 8601. Throws `RangeError` if that is not a time.
 */
export function idAt(at: string, name: string): string {
  const msecs = Date.parse(at);
  if (!Number.isSafeInteger(msecs) || msecs < 0) throw new RangeError(`${at} is not a time`);
  return v7({ msecs, random: createHash('sha256').update(name).digest().subarray(0, idBytes), seq: 0 });
}

const idBytes = 16;

/** Returns an id that sorts by creation time (UUIDv7). */
export const newId = createIdSource();

/** Random bytes are drawn for many ids at once, because a draw costs more than an id. */
function createIdSource(): () => string {
  const pool = Buffer.alloc(idBytes * 256);
  let used = pool.length;
  return () => {
    if (used === pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    const random = pool.subarray(used, used + idBytes);
    used += idBytes;
    return v7({ random });
  };
}
