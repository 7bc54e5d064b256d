/**
 * Number literals exactly as Python 3.11 reads them: underscores between digits, 0x/0o/0b, no leading zeros in ints,
 * and `1if x else 2` (a keyword may touch a number) but not `1abc`.
 */
import { syntaxError } from './python-error.js';
import type { Token } from './syntax.js';

const radixPrefix = /0[xXoObB]/y;
const radixLiteral = /0(?:[xX](?:_?[0-9a-fA-F])+|[oO](?:_?[0-7])+|[bB](?:_?[01])+)/y;
const floatLiteral =
  /(?:\d(?:_?\d)*\.(?:\d(?:_?\d)*)?|\.\d(?:_?\d)*)(?:[eE][+-]?\d(?:_?\d)*)?|\d(?:_?\d)*[eE][+-]?\d(?:_?\d)*/y;
const intLiteral = /\d(?:_?\d)*/y;
const zeroOrNoLeadingZero = /^(?:0[0_]*|[1-9].*)$/;
const touchingKeyword = /and|else|for|if|in|is|or|not/y;
const wordCharacter = /[\p{XID_Continue}_]/uy;

function match(pattern: RegExp, source: string, position: number): string | undefined {
  pattern.lastIndex = position;
  return pattern.exec(source)?.[0];
}

/** The number that starts here, or undefined where none starts; a malformed one throws. */
export function readNumber(source: string, position: number): Token | undefined {
  if (match(radixPrefix, source, position) !== undefined) {
    const text = match(radixLiteral, source, position);
    if (text === undefined) {
      throw syntaxError('invalid number literal', position, 'Write digits after 0x, 0o or 0b.');
    }
    checkEnd(source, position + text.length);
    return { kind: 'value', value: BigInt(text.replaceAll('_', '')), text, position };
  }
  const float = match(floatLiteral, source, position);
  if (float !== undefined) {
    checkEnd(source, position + float.length);
    return { kind: 'value', value: Number(float.replaceAll('_', '')), text: float, position };
  }
  const text = match(intLiteral, source, position);
  if (text === undefined) return undefined;
  checkEnd(source, position + text.length);
  if (!zeroOrNoLeadingZero.test(text)) {
    const hint = 'Drop the leading zeros, or write 0o for an octal number.';
    throw syntaxError('leading zeros in decimal integer literals are not permitted', position, hint);
  }
  return { kind: 'value', value: BigInt(text.replaceAll('_', '')), text, position };
}

function checkEnd(source: string, end: number): void {
  const character = match(wordCharacter, source, end);
  if (character === undefined || match(touchingKeyword, source, end) !== undefined) return;
  const hint =
    character === 'j' || character === 'J'
      ? 'Complex numbers are not supported.'
      : 'Write the multiplication sign: 2 * x, not 2x; underscores go between digits only.';
  throw syntaxError('invalid number literal', end, hint);
}
