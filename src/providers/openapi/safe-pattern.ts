/**
 * Which regular expressions of a stranger may be held against values: those that compile as JSON Schema wants them and
 * cannot take more than linear time in the machine's own matcher. The others are only told to the model.
 */

/** A part of a pattern: in how many ways it can match one text, and whether it may grow without an end. */
interface Part {
  readonly ways: number;
  readonly endless: boolean;
}

const mostWays = 1_000;
const mostLength = 200;
const unsafe = /\\[1-9k]|\(\?(?:[=!]|<[=!])/;

export function isSafePattern(source: string): boolean {
  if (source.length > mostLength || unsafe.test(source)) return false;
  try {
    new RegExp(source, 'u');
  } catch {
    return false;
  }
  const whole = readSequence({ source, at: 0 });
  if (!whole || whole.ways > mostWays) return false;
  // An endless part is tried from each place of the text, unless it is held to the beginning.
  return !whole.endless || (source.startsWith('^') && !source.includes('|'));
}

interface Cursor {
  readonly source: string;
  at: number;
}

/** Up to the end or the closing parenthesis. Undefined: not linear. */
function readSequence(cursor: Cursor): Part | undefined {
  const { source } = cursor;
  let ways = 1;
  let endless = false;
  while (cursor.at < source.length && source[cursor.at] !== ')') {
    if (source[cursor.at] === '|') {
      ways += 1;
      cursor.at++;
      continue;
    }
    const atom = readAtom(cursor);
    const part = atom && repeated(atom, readQuantifier(cursor));
    if (!part || (part.endless && endless)) return undefined;
    ways *= part.ways;
    endless ||= part.endless;
    if (ways > mostWays) return undefined;
  }
  return { ways, endless };
}

function readAtom(cursor: Cursor): Part | undefined {
  const { source } = cursor;
  const character = source[cursor.at++];
  if (character === '\\') {
    const long = /^(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[0-9a-f]{4}|x[0-9a-f]{2}|c.|.)/i.exec(source.slice(cursor.at));
    cursor.at += long?.[0].length ?? 1;
  } else if (character === '[') {
    while (cursor.at < source.length && source[cursor.at] !== ']') cursor.at += source[cursor.at] === '\\' ? 2 : 1;
    cursor.at++;
  } else if (character === '(') {
    const prefix = /^\?(?::|<[^>]*>)/.exec(source.slice(cursor.at));
    cursor.at += prefix?.[0].length ?? 0;
    const inner = readSequence(cursor);
    cursor.at++;
    return inner;
  }
  return { ways: 1, endless: false };
}

function readQuantifier(cursor: Cursor): readonly [least: number, most: number] {
  const found = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/.exec(cursor.source.slice(cursor.at));
  if (!found) return [1, 1];
  cursor.at += found[0].length;
  const [, sign, least, comma, most] = found;
  if (sign === '?') return [0, 1];
  if (sign !== undefined) return [0, Number.POSITIVE_INFINITY];
  if (comma === '') return [Number(least), Number(least)];
  return [Number(least), most === '' ? Number.POSITIVE_INFINITY : Number(most)];
}

function repeated(part: Part, [least, most]: readonly [number, number]): Part | undefined {
  if (most === Number.POSITIVE_INFINITY) return part.ways > 1 || part.endless ? undefined : { ways: 1, endless: true };
  if (part.endless && most > 1) return undefined;
  return { ways: (most - least + 1) * part.ways ** most, endless: part.endless };
}
