/** Header fields as people read them. Gmail hands most over decoded, but not all: RFC 2047 words are decoded here. */
import iconv from 'iconv-lite';
import type { GmailPart } from './api.js';

/** Decoded, to be read. Undefined where the field is missing or empty. */
export function readHeader(part: GmailPart | undefined, name: string): string | undefined {
  const text = decodeWords(readRawHeader(part, name)).trim();
  return text === '' ? undefined : text;
}

/** As it stands, to be parsed: what is decoded first could bring commas and addresses of its own. */
export function readRawHeader(part: GmailPart | undefined, name: string): string {
  const found = part?.headers?.find((header) => header.name?.toLowerCase() === name.toLowerCase())?.value;
  return (found ?? '').replace(/\r?\n[ \t]*/g, ' ');
}

const word = /=\?([A-Za-z0-9_-]+)(?:\*[A-Za-z-]+)?\?([BbQq])\?([^?\s]*)\?=/g;

/** Words in a row are one text: white space between them is none, and a letter may begin in one and end in the next. */
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
 * Gmail turns most texts into UTF-8 and leaves the old charset in the header, so UTF-8 is tried first: hardly a text of
 * another charset is valid UTF-8 by chance. Those that are all ASCII bytes by design (ISO-2022, UTF-16) are told apart.
 */
export function decodeBytes(bytes: Uint8Array, charset = 'utf-8'): string {
  const shifts = /^(?:iso-2022|hz)/.test(charset) && (bytes.includes(0x1b) || charset.startsWith('hz'));
  const wide = /^utf-?(?:16|32)/.test(charset) && bytes.includes(0);
  if (!shifts && !wide) {
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      // Another charset after all.
    }
  }
  const buffer = Buffer.from(bytes);
  // The runtime's own windows-1252 is Latin-1; what the library does not know (ISO-2022) the runtime may.
  if (charset !== 'utf-8' && iconv.encodingExists(charset)) return iconv.decode(buffer, charset);
  try {
    if (charset !== 'utf-8') return new TextDecoder(charset).decode(bytes);
  } catch {
    // A charset that nobody knows.
  }
  return iconv.decode(buffer, 'windows-1252');
}

/** A parameter of a structured field: `charset` of `Content-Type`. */
export function readParameter(field: string | undefined, name: string): string | undefined {
  const [, quoted, bare] = new RegExp(`;\\s*${name}\\s*=\\s*(?:"([^"]*)"|([^\\s;]+))`, 'i').exec(field ?? '') ?? [];
  return quoted ?? bare;
}
