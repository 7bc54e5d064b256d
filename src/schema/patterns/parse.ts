/** Parses an ECMAScript regular expression to a tree: enough to judge its cost and to translate it to RE2. */

export type PatternTree =
  /** Consumes one character; `re2` is undefined if RE2 has no equivalent. */
  | { readonly kind: 'character'; readonly re2: string | undefined }
  /** `^`, `$`, `\b`, `\B`. */
  | { readonly kind: 'position'; readonly re2: string }
  | { readonly kind: 'backreference' }
  | { readonly kind: 'look'; readonly ahead: boolean; readonly negated: boolean; readonly body: PatternTree }
  | { readonly kind: 'sequence'; readonly parts: readonly PatternTree[] }
  | { readonly kind: 'choice'; readonly options: readonly PatternTree[] }
  | { readonly kind: 'repeat'; readonly body: PatternTree; readonly least: number; readonly most: number };

interface Cursor {
  readonly source: string;
  at: number;
  depth: number;
}

/** White space in ECMAScript, as the inside of an RE2 class, and its complement. */
const spaces =
  '\\t\\n\\x0b\\f\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}';
const notSpaces =
  '\\x00-\\x08\\x0e-\\x1f\\x21-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}' +
  '\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}';
const anything = '[\\x00-\\x{10ffff}]';
const nothing = '[^\\x00-\\x{10ffff}]';
const maxDepth = 100;

/** Takes a `source` that compiles as a RegExp. Throws a RangeError if it is nested too deeply. */
export function parsePattern(source: string): PatternTree {
  return choice({ source, at: 0, depth: 0 });
}

function choice(cursor: Cursor): PatternTree {
  cursor.depth += 1;
  if (cursor.depth > maxDepth) throw new RangeError(`it is nested deeper than ${maxDepth} groups`);
  const options = [sequence(cursor)];
  while (cursor.source[cursor.at] === '|') {
    cursor.at += 1;
    options.push(sequence(cursor));
  }
  cursor.depth -= 1;
  const [only] = options;
  return only !== undefined && options.length === 1 ? only : { kind: 'choice', options };
}

function sequence(cursor: Cursor): PatternTree {
  const parts: PatternTree[] = [];
  while (cursor.at < cursor.source.length) {
    const next = cursor.source[cursor.at];
    if (next === '|' || next === ')') break;
    const part = atom(cursor);
    const [least, most] = quantifier(cursor);
    parts.push(least === 1 && most === 1 ? part : { kind: 'repeat', body: part, least, most });
  }
  return { kind: 'sequence', parts };
}

function atom(cursor: Cursor): PatternTree {
  const character = String.fromCodePoint(cursor.source.codePointAt(cursor.at) ?? 0);
  cursor.at += character.length;
  if (character === '(') return group(cursor);
  if (character === '[') return { kind: 'character', re2: characterClass(cursor) };
  if (character === '^') return { kind: 'position', re2: '^' };
  if (character === '$') return { kind: 'position', re2: '$' };
  if (character === '.') return { kind: 'character', re2: '[^\\n\\r\\x{2028}\\x{2029}]' };
  return character === '\\' ? escapeSequence(cursor) : { kind: 'character', re2: literal(character) };
}

function group(cursor: Cursor): PatternTree {
  const prefix = /^\?(?::|<?[=!]|<[^>]*>)/.exec(cursor.source.slice(cursor.at, cursor.at + 200))?.[0] ?? '';
  // Newer engines support groups with their own flags. The meaning of a pattern must not depend on the engine.
  if (prefix === '' && cursor.source[cursor.at] === '?') throw new SyntaxError('it has a group with its own flags');
  cursor.at += prefix.length;
  const body = choice(cursor);
  cursor.at += 1;
  if (!/^\?<?[=!]$/.test(prefix)) return body;
  return { kind: 'look', ahead: !prefix.includes('<'), negated: prefix.endsWith('!'), body };
}

function quantifier(cursor: Cursor): readonly [least: number, most: number] {
  const found = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/.exec(cursor.source.slice(cursor.at, cursor.at + 60));
  if (!found) return [1, 1];
  cursor.at += found[0].length;
  const [, sign, least, comma, most] = found;
  if (sign === '?') return [0, 1];
  if (sign !== undefined) return [sign === '+' ? 1 : 0, Number.POSITIVE_INFINITY];
  if (comma === '') return [Number(least), Number(least)];
  return [Number(least), most === '' ? Number.POSITIVE_INFINITY : Number(most)];
}

function escapeSequence(cursor: Cursor): PatternTree {
  const next = cursor.source[cursor.at] ?? '';
  if (/[1-9k]/.test(next)) {
    cursor.at += (/^(?:\d+|k<[^>]*>)/.exec(cursor.source.slice(cursor.at)) ?? [next])[0].length;
    return { kind: 'backreference' };
  }
  if (next === 'b' || next === 'B') {
    cursor.at += 1;
    return { kind: 'position', re2: `\\${next}` };
  }
  const inside = classEscape(cursor);
  return { kind: 'character', re2: inside === undefined ? undefined : `[${inside}]` };
}

function characterClass(cursor: Cursor): string | undefined {
  const negated = cursor.source[cursor.at] === '^';
  if (negated) cursor.at += 1;
  let inside: string | undefined = '';
  while (cursor.at < cursor.source.length && cursor.source[cursor.at] !== ']') {
    const part = classPart(cursor);
    inside = inside === undefined || part === undefined ? undefined : inside + part;
  }
  cursor.at += 1;
  if (inside === '') return negated ? anything : nothing;
  return inside === undefined ? undefined : `[${negated ? '^' : ''}${inside}]`;
}

function classPart(cursor: Cursor): string | undefined {
  const character = String.fromCodePoint(cursor.source.codePointAt(cursor.at) ?? 0);
  cursor.at += character.length;
  if (character === '-') return isRange(cursor) ? '-' : '\\-';
  return character === '\\' ? classEscape(cursor) : literal(character);
}

/** Whether the hyphen that was just read is between two characters, rather than literal. */
function isRange({ source, at }: Cursor): boolean {
  const before = source[at - 2];
  const kind = source[at - 3] === '\\' ? before : undefined;
  const first = before === '[' || (before === '^' && source[at - 3] === '[');
  return !first && source[at] !== ']' && !(kind !== undefined && /[dswDSW]/.test(kind)) && before !== '}';
}

const byLetter: Readonly<Record<string, string>> = {
  d: '0-9',
  D: '\\x00-\\x{2f}\\x{3a}-\\x{10ffff}',
  w: '0-9A-Za-z_',
  s: spaces,
  S: notSpaces,
  W: '\\x00-\\x{2f}\\x{3a}-\\x{40}\\x{5b}-\\x{5e}\\x{60}\\x{7b}-\\x{10ffff}',
  t: '\\t',
  n: '\\n',
  v: '\\x0b',
  f: '\\f',
  r: '\\r',
  b: '\\x08',
  0: '\\x00',
};

/** Escapes of more than one letter, and what they are in an RE2 class. The first that fits counts. */
const longEscapes: readonly (readonly [RegExp, (...parts: string[]) => string | undefined])[] = [
  [/^u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})/i, (high = '', low = '') => getPair(high, low)],
  [/^u\{([0-9a-f]+)\}/i, (code) => `\\x{${code}}`],
  [/^u([0-9a-f]{4})/i, (code) => `\\x{${code}}`],
  [/^x([0-9a-f]{2})/i, (code) => `\\x{${code}}`],
  [/^([pP])\{([^}]*)\}/, (letter = '', name = '') => propertyName(letter, name)],
  [/^c([A-Za-z])/, (letter = '') => inClass(letter.charCodeAt(0) % 32)],
];

/** The character that two surrogates are. */
function getPair(high: string, low: string): string {
  return inClass((Number.parseInt(high, 16) - 0xd800) * 0x400 + (Number.parseInt(low, 16) - 0xdc00) + 0x10000);
}

const inClass = (code: number): string => `\\x{${code.toString(16)}}`;

/** What follows a backslash, as a part of an RE2 class. */
function classEscape(cursor: Cursor): string | undefined {
  const rest = cursor.source.slice(cursor.at, cursor.at + 80);
  for (const [form, translate] of longEscapes) {
    const [whole, ...parts] = form.exec(rest) ?? [];
    if (whole === undefined) continue;
    cursor.at += whole.length;
    return translate(...parts);
  }
  const letter = String.fromCodePoint(cursor.source.codePointAt(cursor.at) ?? 0);
  cursor.at += letter.length;
  return Object.hasOwn(byLetter, letter) ? byLetter[letter] : literal(letter);
}

const categories: Readonly<Record<string, string>> = {
  Letter: 'L',
  Uppercase_Letter: 'Lu',
  Lowercase_Letter: 'Ll',
  Titlecase_Letter: 'Lt',
  Modifier_Letter: 'Lm',
  Other_Letter: 'Lo',
  Mark: 'M',
  Number: 'N',
  Decimal_Number: 'Nd',
  digit: 'Nd',
  Letter_Number: 'Nl',
  Punctuation: 'P',
  punct: 'P',
  Symbol: 'S',
  Currency_Symbol: 'Sc',
  Math_Symbol: 'Sm',
  Separator: 'Z',
  Space_Separator: 'Zs',
  Control: 'Cc',
  cntrl: 'Cc',
};

function propertyName(letter: string, name: string): string | undefined {
  const [, key, value] = /^(?:(\w+)=)?(\w+)$/.exec(name) ?? [];
  if (value === undefined) return undefined;
  if (key === 'Script' || key === 'sc') return /^[A-Z][a-z]{3,}/.test(value) ? `\\${letter}{${value}}` : undefined;
  if (key !== undefined && key !== 'General_Category' && key !== 'gc') return undefined;
  const category = Object.hasOwn(categories, value) ? categories[value] : value;
  return category !== undefined && /^[A-Z][a-z]?$/.test(category) ? `\\${letter}{${category}}` : undefined;
}

function literal(character: string): string {
  if (/[A-Za-z0-9_]/.test(character)) return character;
  return inClass(character.codePointAt(0) ?? 0);
}
