/**
 * How the command line reaches the server of the same data folder: `helve serve` leaves its address
 * and a key there, readable by the folder's owner only. Whoever can read it could read the store too.
 */
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HelveError } from '../../spec/errors.js';

export interface LocalAccess {
  readonly url: string;
  readonly key: string;
}

const fileName = 'cli.json';

/** Throws `not_found` when no server has run with this folder. */
export function readLocalAccess(dataDir: string): LocalAccess {
  const known = findLocalAccess(dataDir);
  if (known) return known;
  throw new HelveError('not_found', `No Helve has been started with the data folder ${dataDir}`, {
    hint: 'Start it with `npm start` (or `helve serve`), or name its folder with --data.',
  });
}

export function findLocalAccess(dataDir: string): LocalAccess | undefined {
  const path = join(dataDir, fileName);
  if (!existsSync(path)) return undefined;
  try {
    const { url, key } = JSON.parse(readFileSync(path, 'utf8')) as Partial<LocalAccess>;
    return typeof url === 'string' && typeof key === 'string' ? { url, key } : undefined;
  } catch {
    // A half-written file is as good as none: the next start writes it anew.
    return undefined;
  }
}

export function writeLocalAccess(dataDir: string, access: LocalAccess): void {
  const path = join(dataDir, fileName);
  writeFileSync(path, `${JSON.stringify(access)}\n`, { mode: 0o600 });
  chmodSync(path, 0o600);
}
