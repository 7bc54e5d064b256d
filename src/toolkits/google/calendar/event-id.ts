/**
 * The id of an event that an execution makes, known before Calendar is asked: an insert whose answer was lost is sent
 * again, and if the event is there already Calendar says so instead of making a second one.
 */
import { createHash } from 'node:crypto';

const alphabet = '0123456789abcdefghijklmnopqrstuv';

/** Lower-case base32hex, as Calendar demands; 32 of 5 to 1024 characters. */
export function eventIdOf(executionId: string): string {
  const hash = createHash('sha256').update(`calendar event of ${executionId}`).digest();
  let bits = 0;
  let held = 0;
  let id = '';
  for (const byte of hash.subarray(0, 20)) {
    held = (held << 8) | byte;
    bits += 8;
    for (; bits >= 5; bits -= 5) id += alphabet[(held >> (bits - 5)) & 31];
    held &= (1 << bits) - 1;
  }
  return id;
}
