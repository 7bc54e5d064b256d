/** The signature of a delivery: HMAC-SHA-256 of its bytes, in hexadecimal. */
import { createHmac, timingSafeEqual } from 'node:crypto';

export interface SignedBytes {
  readonly secret: string;
  readonly body: Uint8Array;
  /** The header as it came. */
  readonly signature: string | null;
  readonly prefix: string;
}

export function isSignedWith({ secret, body, signature, prefix }: SignedBytes): boolean {
  const expected = Buffer.from(prefix + createHmac('sha256', secret).update(body).digest('hex'));
  const given = Buffer.from(signature ?? '');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
