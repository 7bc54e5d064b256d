/** Header fields as people read them, with the words of RFC 2047 decoded. */
import iconv from 'iconv-lite';
import type { MailPart } from './part.js';

/** Returns the decoded field; undefined if it is missing or empty. */
export function readHeader(part: MailPart | undefined, name: string): string | undefined {
  const text = decodeWords(readRawHeader(part, name)).trim();
  return text === '' ? undefined : text;
}

/** Returns the field for parsing, not decoded: decoded text may hold commas and addresses of its own. */
export function readRawHeader(part: MailPart | undefined, name: string): string {
  const found = part?.headers?.find((header) => header.name?.toLowerCase() === name.toLowerCase())?.value;
  return (found ?? '').replace(/\r?\n[ \t]*/g, ' ');
}

const word = /=\?([A-Za-z0-9_-]+)(?:\*[A-Za-z-]+)?\?([BbQq])\?([^?\s]*)\?=/g;

/**
 * Successive encoded words are one text: white space between them does not count, and a letter may be split between
 * two.
 */
export function decodeWords(text: string): string {
  return text.replace(
    /=\?[A-Za-z0-9_*-]+\?[BbQq]\?[^?\s]*\?=(?:\s*=\?[A-Za-z0-9_*-]+\?[BbQq]\?[^?\s]*\?=)*/g,
    (run) => {
      const words = [...run.matchAll(word)].map(([, charset = '', encoding = '', data = '']) => ({
        charset: charset.toLowerCase(),
        bytes: encoding.toLowerCase() === 'b' ? Buffer.from(data, 'base64') : quotedBytes(data),
      }));
      let decoded = '';
      for (let at = 0; at < words.length; ) {
        const { charset = 'utf-8' } = words[at] ?? {};
        const pieces: Buffer[] = [];
        for (; words[at]?.charset === charset; at++) pieces.push(words[at]?.bytes ?? Buffer.alloc(0));
        decoded += decodeBytes(Buffer.concat(pieces), charset);
      }
      return decoded;
    },
  );
}

function quotedBytes(data: string): Buffer {
  const plain = data.replaceAll('_', ' ');
  return Buffer.from(
    plain.replace(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
}

/**
 * UTF-8 is tried first, because Gmail converts most texts to UTF-8 and leaves the old charset in the header, and because a text in
 * another charset is hardly ever valid UTF-8 by chance. Charsets whose bytes are always valid (ISO-2022, UTF-16) are recognised.
 */
export function decodeBytes(bytes: Uint8Array, charset = 'utf-8'): string {
  const shifts = /^(?:iso-2022|hz)/.test(charset) && (bytes.includes(0x1b) || charset.startsWith('hz'));
  const wide = /^utf-?(?:16|32)/.test(charset) && bytes.includes(0);
  if (!shifts && !wide) {
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      // The text is in another charset.
    }
  }
  const buffer = Buffer.from(bytes);
  // The library comes first because the runtime's windows-1252 is Latin-1. Only the runtime knows ISO-2022.
  if (charset !== 'utf-8' && iconv.encodingExists(charset)) return iconv.decode(buffer, charset);
  try {
    if (charset !== 'utf-8') return new TextDecoder(charset).decode(bytes);
  } catch {
    // An unknown charset.
  }
  return iconv.decode(buffer, 'windows-1252');
}

/** Returns a parameter of a structured field, such as `charset` of `Content-Type`. */
export function readParameter(field: string | undefined, name: string): string | undefined {
  const [, quoted, bare] = new RegExp(`;\\s*${name}\\s*=\\s*(?:"([^"]*)"|([^\\s;]+))`, 'i').exec(field ?? '') ?? [];
  return quoted ?? bare;
}
