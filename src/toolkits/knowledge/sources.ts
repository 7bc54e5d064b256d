/** Names of sources, in one spelling each, and the check which of them an agent may use. */
import { HelveError } from '../../domain/errors.js';

/** Throws `invalid_input`. */
export function sourcePath(path: string): string {
  const refuse = (problem: string): never => {
    throw new HelveError('invalid_input', `The path ${JSON.stringify(path)} ${problem}`, {
      hint: 'Name the source like a file: handbook/travel.md.',
    });
  };
  if (/[\p{Cs}\p{Cc}\u202a-\u202e\u2066-\u2069]/u.test(path)) refuse('contains a control character');
  const normal = path.normalize('NFC').replace(/^(?:\.\/+)+/, '');
  if (normal === '' || normal.endsWith('/')) refuse('names no file');
  if (normal.split('/').some((part) => part === '.' || part === '..')) refuse('contains a part that is . or ..');
  if (normal.length > 1_024) refuse('is longer than 1,024 characters');
  return normal;
}

/** An entry is a source or a folder of sources, not a prefix: `team` does not include `teamwork.md`. */
export function isAllowed(allowed: readonly string[] | undefined, path: string): boolean {
  if (allowed === undefined) return true;
  return allowed.some((entry) => path === entry || path.startsWith(entry.endsWith('/') ? entry : `${entry}/`));
}

/** Throws `forbidden`. */
export function checkAllowed(allowed: readonly string[] | undefined, path: string): void {
  if (isAllowed(allowed, path)) return;
  throw new HelveError('forbidden', `${path} is outside the sources that this agent may use`, {
    hint: `Allowed: ${allowed?.join(', ')}`,
  });
}
