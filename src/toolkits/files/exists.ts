/** Whether something is at a path, for probes. */
import { HelveError } from '../../domain/errors.js';
import type { FileAccess } from '../../domain/reach.js';

export async function exists(files: FileAccess, path: string): Promise<boolean> {
  try {
    await files.stat(path);
    return true;
  } catch (error) {
    if (error instanceof HelveError && error.code === 'not_found') return false;
    throw error;
  }
}
