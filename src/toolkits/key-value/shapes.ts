/** What the three tools of the key-value store share. */
import { z } from 'zod';
import type { CallerFacts } from '../../domain/context.js';

export const key = z.string().min(1).max(512).describe('The key');
export const namespace = z.string().min(1).max(128).optional().describe('Keeps keys apart; default: your own');

/** The default namespace is the caller's own; a named one is shared by all callers in the workspace. */
export function getNamespace(named: string | undefined, caller: CallerFacts): string {
  return named === undefined ? `own:${caller.kind}:${caller.id}` : `shared:${named}`;
}
