/**
 * Text to bytes and back. Nothing is replaced silently: text that an encoding cannot hold, and bytes that are not valid
 * in their encoding, are refused with a hint about what to do instead. UTF-8 uses the platform's own strict decoder;
 * other encodings use iconv-lite.
 */
import { HelveError } from '../../domain/errors.js';

const bytesLookedAt = 8_192;
const replacement = '\ufffd';

export async function decodeText(bytes: Uint8Array, encoding: string, path: string): Promise<string> {
  if (isUtf8(encoding)) return decodeUtf8(bytes, path);
  const iconv = await codecFor(encoding);
  // iconv-lite leaves out a last byte that is only half a character.
  if (isUtf16(encoding) && bytes.length % 2 === 1)
    throw notText(path, encoding, 'use the encoding that it was written in');
  const text = iconv.decode(bytes, encoding);
  // Encodings of Unicode can contain the replacement character itself; in other encodings it only marks a failure.
  const own = isUnicode(encoding) ? iconv.encode(text, encoding, { addBOM: false }) : undefined;
  const broken =
    text.includes(replacement) && !(own !== undefined && Buffer.from(bytes).subarray(-own.length).equals(own));
  if (broken) throw notText(path, encoding, 'use the encoding that it was written in');
  return text;
}

export async function encodeText(text: string, encoding: string, append: boolean): Promise<Uint8Array> {
  const iconv = await codecFor(encoding);
  const bytes = iconv.encode(text, encoding, append ? { addBOM: false } : {});
  const back = iconv.decode(bytes, encoding, { stripBOM: false });
  if (back.replace(/^\ufeff/, '') === text.replace(/^\ufeff/, '')) return bytes;
  const lost = [...text].find((character) => iconv.decode(iconv.encode(character, encoding), encoding) !== character);
  throw new HelveError(
    'invalid_input',
    `The encoding ${encoding} cannot represent ${JSON.stringify(lost ?? text[0])}`,
    {
      hint: 'Use encoding=utf-8, or leave that character out.',
    },
  );
}

/** Node silently drops characters that it cannot decode, which would shorten the file. */
export function decodeBase64(content: string): Uint8Array {
  const plain = content.replace(/[\r\n\t ]/g, '');
  const digits = plain.replace(/={1,2}$/, '');
  const padded = digits.length === plain.length ? digits.length % 4 !== 1 : plain.length % 4 === 0;
  if (padded && /^[A-Za-z0-9+/_-]*$/.test(digits) && (digits !== '' || plain === ''))
    return Buffer.from(digits, 'base64');
  throw new HelveError('invalid_input', 'The content is not base64', {
    hint: 'With binary=true the content is base64; for text leave binary out.',
  });
}

function decodeUtf8(bytes: Uint8Array, path: string): string {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    throw notText(path, 'utf-8', 'it begins like UTF-16: use encoding=utf-16');
  }
  if (bytes.subarray(0, bytesLookedAt).includes(0)) throw notText(path, 'utf-8', 'it looks binary: use binary=true');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw notText(path, 'utf-8', 'give its encoding, e.g. encoding=windows-1252');
  }
}

function notText(path: string, encoding: string, hint: string): HelveError {
  return new HelveError('invalid_input', `${JSON.stringify(path)} is not ${encoding} text`, {
    hint: `Use binary=true for the bytes as base64, or ${hint}.`,
  });
}

async function codecFor(encoding: string) {
  const { default: iconv } = await import('iconv-lite');
  // In iconv-lite these names mean ways of writing bytes, not encodings of text.
  if (iconv.encodingExists(encoding) && !/^(base64|hex|binary|internal)/i.test(encoding)) return iconv;
  throw new HelveError('invalid_input', `There is no encoding ${JSON.stringify(encoding)}`, {
    hint: 'Use for example utf-8, utf-16le, iso-8859-1, windows-1252, shift_jis or gb18030.',
  });
}

export const isUtf8 = (encoding: string): boolean => /^utf-?8$/i.test(encoding);
const isUtf16 = (encoding: string): boolean => /^(utf[-_]?16|ucs)/i.test(encoding);
const isUnicode = (encoding: string): boolean => /^(utf|ucs|gb18030)/i.test(encoding);
