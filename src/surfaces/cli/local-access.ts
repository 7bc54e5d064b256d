/**
 * How the command line reaches the server of the same data folder: `helve serve` writes its address and a key there,
 * readable only by the folder's owner, who could read the store as well.
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HelveError } from '../../domain/errors.js';
import { fileExists } from '../../util/file-exists.js';
import { makeFolder } from '../../util/make-folder.js';
import { type ProcessIdentity, processLives, thisProcess } from '../../util/process-identity.js';

export interface LocalAccess {
  readonly url: string;
  readonly key: string;
}

const fileName = 'cli.json';

/** Throws `upstream_failed` if no server has been started with this folder, `storage_failed` if this user may not read it. */
export function readLocalAccess(dataDir: string): LocalAccess {
  const known = findLocalAccess(dataDir);
  if (known) return known;
  throw new HelveError('upstream_failed', `No Helve has been started with the data folder ${dataDir}`, {
    hint: 'Start it with `helve serve` (in the repository: `npm start`), or name its folder with --data.',
  });
}

/** Undefined if no server has been started with this folder. Throws `storage_failed` if this user may not read it. */
export function findLocalAccess(dataDir: string): LocalAccess | undefined {
  const path = join(dataDir, fileName);
  if (!fileExists(path)) return undefined;
  try {
    const { url, key } = JSON.parse(readFileSync(path, 'utf8')) as Partial<LocalAccess>;
    return typeof url === 'string' && typeof key === 'string' ? { url, key } : undefined;
  } catch {
    // A half-written file counts as missing: the next start rewrites it.
    return undefined;
  }
}

/** Writes a temporary file and renames it, so that a reader finds the old file or the new one, never a part. */
export function writeLocalAccess(dataDir: string, access: LocalAccess): void {
  const path = join(dataDir, fileName);
  const draft = `${path}.${process.pid}`;
  rmSync(draft, { force: true });
  writeFileSync(draft, `${JSON.stringify(access)}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(draft, path);
}

const claimName = 'served-by.json';

/**
 * Claims the data folder for this process, so that the command line always uses the same server. Returns a function that
 * gives the claim up. Throws `conflict` while another process serves the folder.
 */
export async function claimDataFolder(dataDir: string): Promise<() => void> {
  const path = join(dataDir, claimName);
  const nothing = (): void => undefined;
  const own = JSON.stringify(thisProcess());
  // Two attempts: the first removes the claim of a process that died, unless another process was quicker.
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      makeFolder(dataDir);
      writeFileSync(path, own, { mode: 0o600, flag: 'wx' });
      return () => {
        if (readClaim(path)?.text === own) rmSync(path, { force: true });
      };
    } catch (error) {
      // If the folder cannot be written, the store reports that with a better message.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return nothing;
    }
    const other = readClaim(path);
    if (other?.identity && (await isServing(dataDir, other.identity))) throw alreadyServed(dataDir, other.identity.pid);
    try {
      if (readClaim(path)?.text === other?.text) rmSync(path, { force: true });
    } catch {
      return nothing;
    }
  }
  throw alreadyServed(dataDir, readClaim(path)?.identity?.pid);
}

function readClaim(path: string): { readonly text: string; readonly identity?: ProcessIdentity } | undefined {
  try {
    const text = readFileSync(path, 'utf8');
    const { host, pid, startToken } = JSON.parse(text) as Partial<ProcessIdentity>;
    if (typeof host !== 'string' || typeof pid !== 'number' || typeof startToken !== 'string') return { text };
    return { text, identity: { host, pid, startToken } };
  } catch {
    return undefined;
  }
}

/** If the system cannot say whether the process lives (it may be on another machine), asks its address. */
async function isServing(dataDir: string, identity: ProcessIdentity): Promise<boolean> {
  const lives = processLives(identity);
  if (lives !== undefined) return lives;
  const url = findLocalAccess(dataDir)?.url;
  if (url === undefined) return false;
  return fetch(new URL('/health', url), { signal: AbortSignal.timeout(2_000) }).then(
    () => true,
    () => false,
  );
}

function alreadyServed(dataDir: string, pid: number | undefined): HelveError {
  const where = findLocalAccess(dataDir)?.url;
  const by = pid === undefined ? 'another process' : `process ${pid}`;
  return new HelveError(
    'conflict',
    `The data folder ${dataDir} is already being served by ${by}${where === undefined ? '' : `, at ${where}`}`,
    {
      hint: 'Use that server, stop it first, or name another folder with --data. For a second process on it: helve serve --beside.',
    },
  );
}
