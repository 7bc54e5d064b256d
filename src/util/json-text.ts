/**
 * Values as text, and texts as values. JSON from untrusted senders is checked before it is parsed: a text of many small values costs
 * far more to parse and to walk than one long string of the same length, and meanwhile no other request is served.
 */
import { HelveError } from '../domain/errors.js';
import type { JsonValue } from '../domain/json.js';

/** Deeper than any input a tool takes (the pipeline allows 64), shallow enough for recursion anywhere. */
const maxDepth = 100;
/** Slightly more than the pipeline allows in one input. */
const maxValues = 32_000;

/** Parses JSON. Throws `invalid_input` if it is too deep or has too many values, `SyntaxError` if it is not JSON. */
export function parseBoundedJson(text: string): unknown {
  let depth = 0;
  let separators = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text.charCodeAt(index);
    if (character === quote) index = endOfString(text, index);
    else if (character === comma) separators++;
    else if (character === closingBracket || character === closingBrace) depth--;
    else if (character === openingBracket || character === openingBrace) {
      if (++depth > maxDepth)
        throw refused(`nested deeper than ${maxDepth} levels at character ${index}`, 'a flatter value');
    }
  }
  if (separators > maxValues) throw refused(`of more than ${maxValues} values`, 'fewer values in one request');
  return JSON.parse(text);
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openingBracket, closingBracket, openingBrace, closingBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Returns the index of the end of the string that starts here; the end of the text if the string is not closed. */
function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index++) {
    const character = text.charCodeAt(index);
    if (character === quote) return index;
    if (character === backslash) index++;
  }
  return text.length;
}

/** Whether objects and lists are within each other more than `most` times. The text need not be JSON. */
export function isNestedDeeper(text: string, most: number): boolean {
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text.charCodeAt(index);
    if (character === quote) index = endOfString(text, index);
    else if (character === closingBracket || character === closingBrace) depth--;
    else if ((character === openingBracket || character === openingBrace) && ++depth > most) return true;
  }
  return false;
}

/**
 * Parses JSON. An integer that a JavaScript number cannot hold exactly becomes text: ids often have that many digits, and another
 * number would name another thing. Throws `SyntaxError` if it is not JSON.
 */
export function parseExactJson(text: string): JsonValue {
  if (!/\d{16}/.test(text)) return JSON.parse(text) as JsonValue;
  const tokens = /"|-?\d[\d.eE+-]*/g;
  let exact = '';
  let copied = 0;
  // A pattern for whole strings would take very long on a string that has no end.
  for (let found = tokens.exec(text); found; found = tokens.exec(text)) {
    const [token] = found;
    if (token === '"') tokens.lastIndex = endOfString(text, found.index) + 1;
    else if (/^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token))) {
      exact += `${text.slice(copied, found.index)}"${token}"`;
      copied = tokens.lastIndex;
    }
  }
  return JSON.parse(exact + text.slice(copied)) as JsonValue;
}

/** Returns an output as text, for a model: strings bare, everything else as compact JSON. */
export function outputText(output: JsonValue): string {
  return typeof output === 'string' ? output : (JSON.stringify(output) ?? 'null');
}

/** Returns the compact JSON of an output whose `outputText` is given. */
export function outputJson(output: JsonValue, text: string): string {
  return typeof output === 'string' ? JSON.stringify(output) : text;
}

function refused(what: string, instead: string): HelveError {
  return new HelveError('invalid_input', `The body is ${what}`, { hint: `Send ${instead}.` });
}
