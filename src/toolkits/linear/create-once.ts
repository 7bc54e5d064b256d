/**
 * Linear lets the caller choose the id of a new object. Ours follows from the key of the effect, so the request may be
 * sent again after a lost answer: an object with that id was made by this very call.
 */
import { createHash } from 'node:crypto';
import { HelveError } from '../../domain/errors.js';
import type { Idempotency } from '../../domain/tool.js';
import { unlessMissing } from './client.js';

/** Returns a UUID v4: Linear accepts nothing else. */
export function deriveId(effectKey: string, kind: string): string {
  const hex = createHash('sha256').update(`linear\n${kind}\n${effectKey}`).digest('hex');
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

export const byOwnId: Idempotency = {
  by: 'key',
  how: 'Helve chooses the id of what is created, and Linear creates nothing under an id that is taken',
};

/** Errors that may hide that an earlier attempt succeeded. */
const doubtful = new Set(['conflict', 'invalid_input', 'outcome_unknown', 'upstream_failed', 'timeout']);

/** Runs `create`. If it fails although the object may exist, returns what `look` finds. */
export async function createOnce<Made>(create: () => Promise<Made>, look: () => Promise<Made>): Promise<Made> {
  try {
    return await create();
  } catch (error) {
    if (!(error instanceof HelveError) || !doubtful.has(error.code)) throw error;
    // An error of `look` is less informative than the first one.
    const found = await unlessMissing(look).catch(() => undefined);
    if (found === undefined) throw error;
    return found;
  }
}
