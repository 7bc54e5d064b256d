/** Hashes and random secrets, in one place so that their form is the same everywhere. */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { v7 } from 'uuid';

/** SHA-256 of UTF-8 text, in hexadecimal. */
export function sha256(text: string): string {
  return hash('sha256', text);
}

/** 256 random bits behind a readable prefix: `helve_agent_…`. */
export function newSecret(prefix: string): string {
  return `${prefix}_${randomBytes(32).toString('base64url')}`;
}

/** An id that sorts by the time it was made (UUIDv7). */
export function newId(): string {
  return v7();
}

export function equalSecrets(left: string, right: string): boolean {
  const a = Buffer.from(left);
  const b = Buffer.from(right);
  return a.length === b.length && timingSafeEqual(a, b);
}
