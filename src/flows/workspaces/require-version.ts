/** Changes that depend on what was read: what another has written meanwhile is not overwritten. */
import { HelveError } from '../../domain/errors.js';

/** Throws `precondition_failed`, with the present state, if the version is not among `ifMatch`; undefined: no check. */
export function requireVersion(
  ifMatch: readonly string[] | undefined,
  version: string,
  differences: () => readonly string[],
): void {
  if (ifMatch === undefined || ifMatch.includes('*') || ifMatch.includes(version)) return;
  const found = differences();
  const said = found.slice(0, 5).join('; ') || 'it is already as you sent it';
  throw new HelveError('precondition_failed', `It was changed since you read it: ${said}`, {
    hint: 'Read it again, apply your change to the present state, and send it with the new version.',
    details: { version, differences: found.slice(0, 100) },
  });
}
