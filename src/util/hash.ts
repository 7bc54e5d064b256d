/** Hashes and random secrets, in one place so that their form is the same everywhere. */
import { hash, randomBytes, randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

/** SHA-256 of UTF-8 text, in hexadecimal. */
export function sha256(text: string): string {
  return hash('sha256', text);
}

/** 256 random bits behind a readable prefix: `helve_agent_…`. */
export function newSecret(prefix: string): string {
  return `${prefix}_${randomBytes(32).toString('base64url')}`;
}

const idBytes = 16;

/** Returns an id that sorts by creation time (UUIDv7). */
export const newId = createIdSource();

/** Random bytes are drawn for many ids at once: a draw costs more than an id. */
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
