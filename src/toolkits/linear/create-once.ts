/**
 * Linear takes the id of a new thing from whoever makes it. Ours is made from the execution's: the request may be sent
 * again after a lost answer, and whatever has that id was made by this very call.
 */
import { createHash } from 'node:crypto';
import { HelveError } from '../../domain/errors.js';
import { unlessMissing } from './client.js';

/** In the form of a UUID v4, which is all that Linear takes. */
export function idFor(executionId: string, kind: string): string {
  const hex = createHash('sha256').update(`linear\n${kind}\n${executionId}`).digest('hex');
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

/** What the answer to a creation may hide: that the first attempt had been successful. */
const doubtful = new Set(['conflict', 'invalid_input', 'outcome_unknown', 'upstream_failed', 'timeout']);

export async function createOnce<Made>(create: () => Promise<Made>, look: () => Promise<Made>): Promise<Made> {
  try {
    return await create();
  } catch (error) {
    if (!(error instanceof HelveError) || !doubtful.has(error.code)) throw error;
    // Whatever is wrong with the look is less telling than the first error.
    const found = await unlessMissing(look).catch(() => undefined);
    if (found === undefined) throw error;
    return found;
  }
}
