/** A copy in a file: the lines of `lines.ts`, compressed with gzip. */
import { randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { link, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { HelveError } from '../../../domain/errors.js';
import { type CopyFacts, checkItems } from './check-items.js';
import type { CopyItem } from './items.js';
import { decodeItems, encodeItems } from './lines.js';

const charactersAtOnce = 65_536;

export interface WriteOptions {
  /** Called with what the file has, before it gets its name. */
  readonly beforeNamed?: ((facts: CopyFacts) => Promise<void>) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Writes the items to a new file that only its owner can read, reads it back, and gives it its name when it is whole. Nothing
 * stays of one that fails or is stopped. Throws `conflict` if the file exists.
 */
export async function writeBackup(
  path: string,
  items: AsyncIterable<CopyItem>,
  { beforeNamed, signal }: WriteOptions = {},
): Promise<CopyFacts> {
  if (existsSync(path)) throw taken(path);
  const draft = `${path}.${randomBytes(6).toString('hex')}.part`;
  try {
    const output = createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true });
    const options = signal === undefined ? {} : { signal };
    await pipeline(Readable.from(joinLines(encodeItems(items))), createGzip({ level: 4 }), output, options);
    const facts = await verifyBackup(draft, signal);
    await beforeNamed?.(facts);
    await link(draft, path);
    return facts;
  } catch (thrown) {
    throw writeFailure(thrown, path);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Reads a whole backup and checks it. Throws as `readBackup` does. */
async function verifyBackup(path: string, signal?: AbortSignal): Promise<CopyFacts> {
  const items = readBackup(path, signal);
  for (;;) {
    const { done, value } = await items.next();
    if (done) return value;
  }
}

/**
 * Yields the items of a backup and checks them on the way; it is whole only if the end is reached. Throws `not_found`
 * without such a file, `invalid_input` for one that is broken.
 */
export async function* readBackup(path: string, signal?: AbortSignal): AsyncGenerator<CopyItem, CopyFacts> {
  const source = createReadStream(path);
  const plain = createGunzip();
  source.on('error', (error) => plain.destroy(error));
  source.pipe(plain);
  try {
    const items = checkItems(decodeItems(plain));
    for (;;) {
      signal?.throwIfAborted();
      const { done, value } = await items.next();
      if (done) return value;
      yield value;
    }
  } catch (thrown) {
    throw readFailure(thrown, path);
  } finally {
    source.destroy();
    plain.destroy();
  }
}

async function* joinLines(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let text = '';
  for await (const line of lines) {
    text += line;
    if (text.length < charactersAtOnce) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

const isAbort = (thrown: unknown): boolean => thrown instanceof Error && thrown.name === 'AbortError';

function readFailure(thrown: unknown, path: string): unknown {
  if (thrown instanceof HelveError || isAbort(thrown)) return thrown;
  const { code, message } = thrown as NodeJS.ErrnoException;
  if (code === 'ENOENT') return new HelveError('not_found', `There is no backup ${path}`, { hint: 'Name its file.' });
  if (code === 'EACCES' || code === 'EISDIR')
    return new HelveError('invalid_input', `The backup ${path} cannot be read (${code})`, {
      hint: 'Name a readable file.',
    });
  return new HelveError('invalid_input', `The backup ${path} is broken: ${message}`, {
    hint: 'Use another backup. Nothing has been changed.',
    cause: thrown,
  });
}

const taken = (path: string): HelveError =>
  new HelveError('conflict', `${path} exists already`, { hint: 'Name a new file, or a folder.' });

function writeFailure(thrown: unknown, path: string): unknown {
  if (thrown instanceof HelveError || isAbort(thrown)) return thrown;
  const { code } = thrown as NodeJS.ErrnoException;
  if (code === 'EEXIST') return taken(path);
  const reason = code === 'ENOSPC' ? 'the disk is full' : `the system says ${code ?? (thrown as Error).message}`;
  return new HelveError('storage_failed', `The backup ${path} cannot be written: ${reason}`, { cause: thrown });
}
