/**
 * A copy as lines of JSON: a row is an array, everything else an object with its kind. The last line holds the hash of all
 * lines before it.
 */
import { createHash } from 'node:crypto';
import { decodeRow, encodeRow } from '../../../storage/index.js';
import type { CopyItem } from './items.js';

const newLine = 10;

function encodeItem(item: CopyItem): string {
  if (item.kind === 'row') return encodeRow(item.row);
  if (item.kind === 'bytes')
    return JSON.stringify({ kind: 'bytes', bytes: Buffer.from(item.bytes).toString('base64') });
  return JSON.stringify(item);
}

/** Throws `SyntaxError` or `TypeError` for a line that is none. */
function decodeItem(line: string): CopyItem {
  if (line.startsWith('[')) return { kind: 'row', row: decodeRow(line) };
  const item = JSON.parse(line) as Exclude<CopyItem, { kind: 'row' }>;
  return item.kind === 'bytes' ? { kind: 'bytes', bytes: Buffer.from(String(item.bytes), 'base64') } : item;
}

/** Yields the lines with their ends. The last item must be the end. */
export async function* encodeItems(items: AsyncIterable<CopyItem>): AsyncGenerator<string> {
  const hash = createHash('sha256');
  for await (const item of items) {
    const line = `${encodeItem(item)}\n`;
    hash.update(line);
    yield line;
  }
  yield `${JSON.stringify({ sha256: hash.digest('hex') })}\n`;
}

/** Yields the items of lines, which may be cut anywhere. Throws `Error` with the reason if they are not complete or changed. */
export async function* decodeItems(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<CopyItem> {
  const hash = createHash('sha256');
  let sealed = false;
  for await (const line of splitLines(chunks)) {
    if (sealed) throw new Error('something follows its end');
    if (line.startsWith('{"sha256":')) {
      sealed = true;
      if ((JSON.parse(line) as { sha256: unknown }).sha256 !== hash.digest('hex'))
        throw new Error('its content was changed');
      continue;
    }
    hash.update(`${line}\n`);
    yield decodeItem(line);
  }
  if (!sealed) throw new Error('its end is missing');
}

/** Yields the lines of UTF-8 text, without their ends. Throws `Error` if the last one has none. */
export async function* splitLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let parts: Uint8Array[] = [];
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(newLine); end >= 0; end = chunk.indexOf(newLine, start)) {
      yield Buffer.concat([...parts, chunk.subarray(start, end)]).toString('utf8');
      parts = [];
      start = end + 1;
    }
    if (start < chunk.length) parts.push(chunk.subarray(start));
  }
  if (parts.length > 0) throw new Error('its last line is cut off');
}
