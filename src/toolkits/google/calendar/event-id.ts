/**
 * Derives the id of a new event from the key of the effect. If the answer to an insert is lost the request is sent again, and if
 * the event exists by then Calendar says so instead of creating a second one.
 */
import { createHash } from 'node:crypto';

/** Returns 32 characters of lower-case base32hex, which Calendar requires. */
export function deriveEventId(effectKey: string): string {
  const hash = createHash('sha256').update(`calendar event of ${effectKey}`).digest('hex');
  return BigInt(`0x${hash.slice(0, 40)}`)
    .toString(32)
    .padStart(32, '0');
}
