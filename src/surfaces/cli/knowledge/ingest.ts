/** Sends file after file to `ingest_document`. A file is stored completely or not at all, so a run can stop anywhere. */
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import type { HelveClient } from '../../../api/index.js';
import { type ErrorCode, HelveError, toHelveError } from '../../../domain/errors.js';
import { defined } from '../../../util/defined.js';
import type { Progress } from '../progress.js';
import { callTool } from './call-tool.js';
import { getCaption, type LocalFile } from './local-files.js';

export interface IngestRun {
  readonly client: HelveClient;
  readonly agent: string | undefined;
  readonly files: readonly LocalFile[];
  readonly caption: string | undefined;
  /** The documents that the server has, by source. */
  readonly hashes: ReadonlyMap<string, string>;
  readonly signal: AbortSignal;
  readonly progress: Progress;
}

export interface IngestDone {
  ingested: number;
  unchanged: number;
  failed: { source: string; code: string; message: string; hint?: string }[];
  notes: { source: string; notes: string[] }[];
  stopped: boolean;
}

const maxBytes = 52_428_800;
/** After one of these errors no other file would succeed. */
const ends: ReadonlySet<ErrorCode> = new Set([
  ...(['unauthenticated', 'not_granted', 'denied_by_policy', 'tool_not_found', 'invalid_config'] as const),
  ...(['approval_required', 'storage_failed', 'shutting_down', 'rate_limited'] as const),
]);

export async function ingestAll(run: IngestRun): Promise<IngestDone> {
  const { files, signal, progress } = run;
  const report = (index: number, source: string, what: string): void =>
    progress.at(index + 1, files.length, `${what} ${source}`);
  const done: IngestDone = { ingested: 0, unchanged: 0, failed: [], notes: [], stopped: false };
  for (const [index, local] of files.entries()) {
    if (signal.aborted) break;
    const { source } = local;
    try {
      const { unchanged, notes } = await ingestOne(run, local);
      if (unchanged) done.unchanged += 1;
      else done.ingested += 1;
      if (notes.length > 0) done.notes.push({ source, notes });
      report(index, source, unchanged ? 'unchanged' : 'ingested');
    } catch (error) {
      if (signal.aborted) break;
      if (!(error instanceof HelveError) && !isFileError(error)) throw error;
      const { code, message, hint } = toHelveError(error, 'invalid_input');
      if (ends.has(code)) throw error;
      done.failed.push({ source, code, message, ...defined({ hint }) });
      report(index, source, `failed (${code}: ${message})`);
    }
  }
  done.stopped = signal.aborted;
  return done;
}

const maxTold = 20;

/** A line for each note, with the first file that it is about and how many more there are. */
export function tellNotes(all: IngestDone['notes']): string[] {
  const told = new Map<string, { readonly first: string; count: number }>();
  for (const { source, notes } of all)
    for (const note of notes) {
      const before = told.get(note);
      if (before === undefined) told.set(note, { first: source, count: 1 });
      else before.count += 1;
    }
  const lines = [...told].map(([note, { first, count }]) =>
    count === 1 ? `${first}: ${note}` : `${first} and ${count - 1} more: ${note}`,
  );
  const left = lines.length - maxTold;
  return left > 0 ? [...lines.slice(0, maxTold), `${left} more notes: see --json`] : lines;
}

async function ingestOne(
  run: IngestRun,
  { file, source }: LocalFile,
): Promise<{ unchanged: boolean; notes: string[] }> {
  const { client, agent, hashes, signal, progress } = run;
  const { size } = await stat(file);
  if (size > maxBytes) throw tooLarge(`${source} has ${size} bytes`);
  const bytes = await readFile(file);
  const caption = run.caption ?? (await getCaption(file));
  if (hashes.get(source) === computeHash(bytes, caption)) return { unchanged: true, notes: [] };
  const input = { path: source, ...getContent(bytes), ...defined({ caption }) };
  const onWait = (seconds: number): void => progress.note(`Waiting ${seconds} s at the server's request …`);
  try {
    return await callTool(client, 'ingest_document', input, { agent, signal, onWait });
  } catch (error) {
    if (error instanceof HelveError && error.code === 'too_large') throw tooLarge(error.message);
    throw error;
  }
}

const tooLarge = (problem: string): HelveError =>
  new HelveError('too_large', problem, { hint: 'Put it into a folder that an agent may read, and use ingest_files.' });

const isFileError = (error: unknown): boolean => typeof (error as NodeJS.ErrnoException).syscall === 'string';

/** Sends UTF-8 as text, which is smaller; anything that is not valid UTF-8 is sent as bytes. */
function getContent(bytes: Buffer): { content: string } | { content_base64: string } {
  const text = bytes.toString('utf8');
  const same = !text.includes('\0') && Buffer.from(text).equals(bytes);
  return same ? { content: text } : { content_base64: bytes.toString('base64') };
}

/** A document as `list_knowledge` returns it. */
function computeHash(bytes: Buffer, caption: string | undefined): string {
  const hash = createHash('sha256').update(bytes);
  if (caption !== undefined) hash.update(`\0${caption}`);
  return hash.digest('hex');
}
