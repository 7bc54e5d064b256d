/**
 * An archive of the record: compressed lines of JSON, the first with what it is, one for each row, the last with its
 * signature and the public key that checks it.
 */
import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { link, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { type ArchiveFacts, createChainCheck, isSigned, publicArchiveKey, signArchive } from '../../../audit/index.js';
import type { AuditEvent } from '../../../domain/audit.js';
import type { ChainPoint } from '../../../domain/chain.js';
import { HelveError } from '../../../domain/errors.js';
import type { RecordArchive } from '../../../domain/record-archive.js';
import { splitLines } from '../backup/index.js';

const format = 1;

interface Head {
  readonly helve: 'record archive';
  readonly format: number;
  readonly workspaceId: string;
  /** The last row before those of the archive. */
  readonly after: ChainPoint;
}

interface End {
  readonly archive: RecordArchive;
  readonly publicKey: string;
}

export interface NewArchive {
  readonly path: string;
  readonly workspaceId: string;
  readonly after: ChainPoint;
  /** In order. */
  readonly rows: AsyncIterable<AuditEvent>;
  /** PEM. */
  readonly privateKey: string;
  readonly archivedAt: string;
}

/**
 * Writes a new archive, reads it back, and gives it its name when it is whole. One that was written before and never noted
 * in the store is used instead. Throws `conflict` if the rows are not a chain, or the file holds others.
 */
export async function writeArchive(given: NewArchive): Promise<RecordArchive> {
  const { path } = given;
  const draft = `${path}.${randomBytes(6).toString('hex')}.part`;
  try {
    const output = createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true });
    await pipeline(Readable.from(toLines(given)), createGzip(), output);
    const archive = await readArchive(draft);
    await link(draft, path).catch(acceptExisting);
    const kept = await readArchive(path);
    if (kept.contentHash === archive.contentHash && isSigned(kept, given.privateKey)) return kept;
    throw new HelveError('conflict', `${path} exists already, with other rows`, { hint: 'Name another folder.' });
  } finally {
    await rm(draft, { force: true });
  }
}

/** Another process may have been quicker. Its file is compared like one that was written before. */
function acceptExisting(thrown: unknown): void {
  if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw thrown;
}

async function* toLines({ workspaceId, after, rows, privateKey, archivedAt }: NewArchive): AsyncGenerator<string> {
  const head: Head = { helve: 'record archive', format, workspaceId, after };
  yield `${JSON.stringify(head)}\n`;
  const collected = collect(workspaceId, after);
  for await (const row of rows) {
    const line = `${JSON.stringify(row)}\n`;
    collected.add(row, line);
    yield line;
  }
  const facts = collected.facts();
  const archive: RecordArchive = { ...facts, signature: signArchive(facts, privateKey), archivedAt };
  const end: End = { archive, publicKey: publicArchiveKey(privateKey) };
  yield `${JSON.stringify(end)}\n`;
}

/** Follows the rows. Its methods throw `conflict` if they are not a chain. */
function collect(workspaceId: string, after: ChainPoint) {
  const check = createChainCheck(after);
  const content = createHash('sha256');
  let [firstAt, lastAt] = ['', ''];
  return {
    add(row: AuditEvent, line: string): void {
      const broken = row.workspaceId === workspaceId ? check.accept(row) : { problem: 'it is of another workspace' };
      if (broken) throw new HelveError('conflict', `The record is broken at row ${row.seq}: ${broken.problem}`);
      content.update(line);
      if (firstAt === '') firstAt = row.at;
      lastAt = row.at;
    },
    facts(): ArchiveFacts {
      const last = { seq: check.seq, hash: check.hash };
      const contentHash = content.digest('hex');
      return { workspaceId, firstSeq: after.seq + 1, previousHash: after.hash, last, firstAt, lastAt, contentHash };
    },
  };
}

/**
 * Reads an archive and checks its chain, its content and its signature by the key that it names itself: the caller decides
 * whether that is the right one. Throws `not_found` without the file, `invalid_input` for one that is broken.
 */
export async function readArchive(path: string): Promise<RecordArchive> {
  const source = createReadStream(path);
  const plain = createGunzip();
  source.on('error', (error) => plain.destroy(error));
  source.pipe(plain);
  try {
    return await checkLines(splitLines(plain));
  } catch (thrown) {
    const { code, message } = thrown as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new HelveError('not_found', `There is no archive ${path}`);
    throw new HelveError('invalid_input', `The archive ${path} is broken: ${message}`, { cause: thrown });
  } finally {
    source.destroy();
    plain.destroy();
  }
}

async function checkLines(lines: AsyncIterable<string>): Promise<RecordArchive> {
  let collected: ReturnType<typeof collect> | undefined;
  let end: End | undefined;
  for await (const line of lines) {
    if (end) throw new Error('something follows its end');
    const item = JSON.parse(line) as Head | AuditEvent | End;
    if (!collected) collected = begin(item as Head);
    else if ('archive' in item) end = item;
    else collected.add(item as AuditEvent, `${line}\n`);
  }
  if (!collected || !end) throw new Error('its end is missing');
  const { archive, publicKey } = end;
  const facts = collected.facts();
  if (!isSigned({ ...facts, signature: archive.signature, archivedAt: archive.archivedAt }, publicKey))
    throw new Error('its signature does not fit its rows');
  return { ...facts, signature: archive.signature, archivedAt: archive.archivedAt };
}

function begin({ helve, format: found, workspaceId, after }: Head): ReturnType<typeof collect> {
  if (helve !== 'record archive' || found !== format) throw new Error('it is not an archive in this format');
  return collect(workspaceId, after);
}
