/** Whether a file exists. Where this user may not look, it throws, while `existsSync` would answer no. */
import { statSync } from 'node:fs';
import { HelveError } from '../domain/errors.js';

/** Throws `storage_failed` if this user may not look into a folder of the path. */
export function fileExists(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== 'EACCES' && code !== 'EPERM') return false;
    throw new HelveError('storage_failed', `This user may not read ${path}`, {
      hint: 'Run the command as the user that runs Helve.',
      cause,
    });
  }
}
