/** One document's file: its text, and a fingerprint that shows changes. Never reads a file outside the directory. */
import { constants, type Stats } from 'node:fs';
import { lstat, open, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { HelveError } from '../../domain/errors.js';
import { sha256 } from '../../util/hash.js';

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
/** In bytes. The largest document of the npm package has 47 million. */
const maxBytes = 64_000_000;
/** Increase this when summaries change: every document is then read again. */
const summaryVersion = 1;

function documentFile(folder: string, path: string): string {
  return join(folder, 'api', ...path.split('/'));
}

/** A cheap fingerprint from size, time and the version of the package. Undefined if the file no longer exists. */
export async function hashOfDocument(
  folder: string,
  path: string,
  packageVersion: string,
): Promise<string | undefined> {
  let stats: Stats;
  try {
    stats = await lstat(documentFile(folder, path));
  } catch {
    return undefined;
  }
  return sha256(JSON.stringify([summaryVersion, packageVersion, path, stats.size, stats.mtimeMs]));
}

/** Returns the text. `folder` is a real path. Throws `invalid_config`, `too_large`. */
export async function readDocumentFile(folder: string, path: string): Promise<string> {
  const file = documentFile(folder, path);
  const handle = await open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch((cause: NodeJS.ErrnoException) => {
    throw new HelveError('invalid_config', `its file cannot be opened (${cause.code})`, {
      hint: 'Synchronise the catalogue: the file may no longer exist.',
      cause,
    });
  });
  try {
    if ((await realpath(file)) !== file) throw new HelveError('invalid_config', 'it is reached by a link');
    const stats = await handle.stat();
    if (!stats.isFile()) throw new HelveError('invalid_config', 'it is not a regular file');
    if (stats.size > maxBytes)
      throw new HelveError('too_large', `it has ${stats.size} bytes, at most ${maxBytes} are read`);
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}
