/** Bytes in JSON. */
import { HelveError } from '../../domain/errors.js';

/** Throws `invalid_input` for text that is not base64; `Buffer` alone would ignore invalid characters. */
export function decodeBase64(text: string, field: string): Uint8Array {
  const compact = text
    .replace(/[\s=]+/g, '')
    .replaceAll('-', '+')
    .replaceAll('_', '/');
  if (/^[A-Za-z0-9+/]*$/.test(compact) && compact.length % 4 !== 1) return Buffer.from(compact, 'base64');
  throw new HelveError('invalid_input', `${field} is not base64`, {
    hint: 'Send the bytes of the file in base64, without a data: prefix.',
  });
}
