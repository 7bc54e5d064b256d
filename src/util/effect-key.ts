import { sha256 } from './hash.js';

/**
 * Names the effect that a call intends, in 32 hexadecimal digits. For the call of a program it is the same however often
 * the call is repeated because its answer was lost; any other call is an effect of its own.
 */
export function nameEffect(executionId: string, run?: { readonly runId: string; readonly number: number }): string {
  return run === undefined ? executionId.replaceAll('-', '') : sha256(`${run.runId}/${run.number}`).slice(0, 32);
}

/** Writes the key of an effect as a UUID of version 4, for services that accept nothing else. */
export function toUuid(effectKey: string): string {
  const variant = ((Number.parseInt(effectKey.charAt(16), 16) & 0x3) | 0x8).toString(16);
  const third = `4${effectKey.slice(13, 16)}`;
  const fourth = `${variant}${effectKey.slice(17, 20)}`;
  return [effectKey.slice(0, 8), effectKey.slice(8, 12), third, fourth, effectKey.slice(20, 32)].join('-');
}

const clockDifferenceMs = 600_000;

/** When an effect may have happened at the earliest by the clock of its service, which may differ from ours by ten minutes. */
export function findEarliest(startedAt: string): Date {
  return new Date(Date.parse(startedAt) - clockDifferenceMs);
}
