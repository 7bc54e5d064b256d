import { sha256 } from './hash.js';

/**
 * Names the effect that a call intends, in 32 hexadecimal digits. For the call of a program it is the same however often
 * the call is repeated because its answer was lost; any other call is an effect of its own.
 */
export function nameEffect(executionId: string, run?: { readonly runId: string; readonly number: number }): string {
  return run === undefined ? executionId.replaceAll('-', '') : sha256(`${run.runId}/${run.number}`).slice(0, 32);
}
