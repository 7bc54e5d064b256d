/** Searches files for a text, one after the other, and pauses regularly so that other work can run. */
import { setImmediate as turn } from 'node:timers/promises';
import type { ToolContext } from '../../domain/context.js';
import { HelveError } from '../../domain/errors.js';
import type { FileEntry } from '../../domain/reach.js';

export interface FoundLine {
  readonly line: number;
  readonly text: string;
}

export interface FileMatch {
  readonly entry: FileEntry;
  readonly lines: readonly FoundLine[];
}

export interface TextSearch {
  readonly matches: readonly FileMatch[];
  /** Whether files, or lines of one, were left out. */
  readonly truncated: boolean;
  /** Files that were not searched: too large, binary, or unreadable. */
  readonly skipped: number;
}

/** Of one file. */
export const mostLines = 20;
const mostLineCharacters = 300;
const mostBytes = 200_000_000;

export async function searchText(
  candidates: readonly FileEntry[],
  query: string,
  limit: number,
  { files, signal, progress }: Pick<ToolContext, 'files' | 'signal' | 'progress'>,
): Promise<TextSearch> {
  const wanted = Buffer.from(query);
  const matches: FileMatch[] = [];
  let skipped = 0;
  let truncated = false;
  let bytesRead = 0;
  for (const [index, entry] of candidates.entries()) {
    if (matches.length >= limit || bytesRead > mostBytes) return { matches, truncated: true, skipped };
    if (index % 100 === 99) progress({ progress: index + 1, total: candidates.length, message: 'files searched' });
    await turn();
    if (signal.aborted) throw new HelveError('cancelled', 'The call was cancelled');
    const bytes = await readable(entry, files);
    if (bytes === undefined) skipped += 1;
    else if (bytes.includes(wanted)) {
      const { lines, more } = linesWith(bytes, wanted);
      matches.push({ entry, lines });
      truncated ||= more;
    }
    bytesRead += bytes?.length ?? 0;
  }
  return { matches, truncated, skipped };
}

/** A file that cannot be read, or has gone since it was listed, does not end the search. */
async function readable(entry: FileEntry, files: ToolContext['files']): Promise<Buffer | undefined> {
  try {
    const { bytes } = await files.read(entry.path);
    return bytes.subarray(0, 8_192).includes(0) ? undefined : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  } catch (error) {
    if (error instanceof HelveError) return undefined;
    throw error;
  }
}

/** `more`: whether further lines match. */
function linesWith(bytes: Buffer, wanted: Buffer): { lines: FoundLine[]; more: boolean } {
  const lines: FoundLine[] = [];
  let line = 1;
  let counted = 0;
  let at = bytes.indexOf(wanted);
  for (; at >= 0 && lines.length < mostLines; at = bytes.indexOf(wanted, at)) {
    for (let next = bytes.indexOf(10, counted); next >= 0 && next < at; next = bytes.indexOf(10, counted)) {
      line += 1;
      counted = next + 1;
    }
    const newline = bytes.indexOf(10, at);
    const end = newline < 0 ? bytes.length : newline;
    // For a long line, the part around the match.
    const from = Math.max(counted, at - mostLineCharacters / 2);
    const text = bytes.subarray(from, Math.min(end, from + mostLineCharacters)).toString('utf8');
    lines.push({ line, text: text.replace(/^\ufffd+|[\ufffd\r]+$/g, '') });
    at = Math.max(end, at + wanted.length);
  }
  return { lines, more: at >= 0 };
}
