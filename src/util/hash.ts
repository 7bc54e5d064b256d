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
const pool = Buffer.alloc(idBytes * 256);
let poolUsed = pool.length;

/**
 * Returns an id that sorts by creation time (UUIDv7). Random bytes are drawn for many ids at once: a draw costs more
 * than an id.
 */
export function newId(): string {
  if (poolUsed === pool.length) {
    randomFillSync(pool);
    poolUsed = 0;
  }
  const random = pool.subarray(poolUsed, poolUsed + idBytes);
  poolUsed += idBytes;
  return v7({ random });
}
