/** Parses the bytes of a message into its parts. Hostile messages take no more than linear time for each level of nesting. */
import { decodeBytes, readParameter } from './headers.js';
import type { MailPart } from './part.js';

const maxDepth = 30;
const maxParts = 1_000;

/** Never throws: what is broken is read as a mail program would, as far as it goes. */
export function parseMail(bytes: Uint8Array): MailPart {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  // A line that some programs write before the first field.
  return parsePart(text.replace(/^From [^\n]*\n/, ''), 0, { parts: 0 });
}

/** `text`: one character for each byte. */
function parsePart(text: string, depth: number, count: { parts: number }): MailPart {
  count.parts += 1;
  const gap = /^\r?\n|\r?\n\r?\n/.exec(text);
  const head = gap === null ? text : text.slice(0, gap.index);
  const content = gap === null ? '' : text.slice(gap.index + gap[0].length);
  const headers = readFields(head);
  const find = (name: string) => headers.find((one) => one.name.toLowerCase() === name)?.value;
  const type = find('content-type') ?? 'text/plain';
  const mimeType = /^\s*([\w.+-]+\/[\w.+-]+)/.exec(type)?.[1]?.toLowerCase() ?? 'text/plain';
  const boundary = readParameter(type, 'boundary');
  if (mimeType.startsWith('multipart/') && boundary && depth < maxDepth) {
    const parts: MailPart[] = [];
    for (const piece of splitParts(content, boundary))
      if (count.parts < maxParts) parts.push(parsePart(piece, depth + 1, count));
    return { mimeType, headers, parts };
  }
  const bytes = decodeContent(content, find('content-transfer-encoding'));
  const disposition = find('content-disposition');
  const filename = readFileName(disposition, 'filename') ?? readFileName(type, 'name') ?? '';
  const isBody = /^text\/(?:plain|html)$/.test(mimeType) && !/^\s*attachment/i.test(disposition ?? '');
  const id = isBody ? {} : { attachmentId: String(count.parts) };
  return { mimeType, filename, headers, body: { ...id, size: bytes.length, data: bytes.toString('base64url') } };
}

function readFields(head: string): { name: string; value: string }[] {
  const fields: { name: string; value: string }[] = [];
  const unfolded = head.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/);
  for (const line of unfolded) {
    const colon = line.indexOf(':');
    // Fields are ASCII, but programs write other letters as they are.
    const value = decodeBytes(Buffer.from(line.slice(colon + 1).trim(), 'latin1'));
    if (colon > 0) fields.push({ name: line.slice(0, colon).trim(), value });
  }
  return fields;
}

/** A boundary stands at the beginning of a line. A part that has no end reaches to the end of the text. */
function splitParts(content: string, boundary: string): string[] {
  const parts: string[] = [];
  const mark = `--${boundary}`;
  let start = -1;
  for (let at = content.indexOf(mark); at >= 0; at = content.indexOf(mark, at + mark.length)) {
    if (at > 0 && content[at - 1] !== '\n') continue;
    if (start >= 0) parts.push(content.slice(start, at).replace(/\r?\n$/, ''));
    const lineEnd = content.indexOf('\n', at);
    start = lineEnd < 0 ? content.length : lineEnd + 1;
    if (content.startsWith('--', at + mark.length)) return parts;
  }
  if (start >= 0) parts.push(content.slice(start));
  return parts;
}

function decodeContent(content: string, encoding = ''): Buffer {
  const kind = encoding.trim().toLowerCase();
  if (kind === 'base64') return Buffer.from(content, 'base64');
  if (kind !== 'quoted-printable') return Buffer.from(content, 'latin1');
  const plain = content
    .replace(/=[ \t]*\r?\n/g, '')
    .replace(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(plain, 'latin1');
}

/** RFC 2231: a name may be percent-encoded with its charset, and cut into numbered pieces. */
function readFileName(field: string | undefined, name: string): string | undefined {
  const plain = readParameter(field, name);
  const encoded = readParameter(field, `${name}\\*`);
  if (encoded !== undefined) return decodePercent(encoded);
  if (plain !== undefined || field === undefined) return plain;
  const pieces: string[] = [];
  for (let piece = 0; piece < 100; piece += 1) {
    const next = readParameter(field, `${name}\\*${piece}\\*?`);
    if (next === undefined) break;
    pieces.push(next);
  }
  if (pieces.length === 0) return undefined;
  return new RegExp(`;\\s*${name}\\*0\\*`, 'i').test(field) ? decodePercent(pieces.join('')) : pieces.join('');
}

function decodePercent(text: string): string {
  const [, charset = 'utf-8', content = text] = /^([^']*)'[^']*'(.*)$/s.exec(text) ?? [];
  const bytes = content.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return decodeBytes(Buffer.from(bytes, 'latin1'), charset.toLowerCase() || 'utf-8');
}
