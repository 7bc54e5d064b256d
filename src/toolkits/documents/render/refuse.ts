/** Errors about the content of a document. */
import { type ErrorCode, HelveError } from '../../../domain/errors.js';

export function refuse(message: string, hint: string, code: ErrorCode = 'invalid_input'): never {
  throw new HelveError(code, message, { hint });
}

/** Shows a character so that a person and a model can find it: `中 (U+4E2D)`. */
export function getName(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  const code = `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
  return point < 0x20 ||
    (point >= 0x7f && point < 0xa0) ||
    (point >= 0xd800 && point < 0xe000) ||
    (point & 0xfffe) === 0xfffe
    ? code
    : `${character} (${code})`;
}
