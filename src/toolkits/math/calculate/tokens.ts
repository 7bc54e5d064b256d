/**
 * Python's tokens, as far as arithmetic needs them: numbers, names, operators and brackets.
 *
 * Everything else that Python knows (strings, attributes, subscripts, assignments …) is refused here with a word on
 * what to write instead, so no later stage can even meet it.
 */
import { maximumBrackets } from './budget.js';
import { readNumber } from './number-literal.js';
import { syntaxError } from './python-error.js';
import type { Token } from './syntax.js';

const blank = /(?:[ \t\f]|\\\r?\n|#[^\r\n]*)+/y;
const name = /[\p{XID_Start}_]\p{XID_Continue}*/uy;
const operator = /\*\*|\/\/|<<|>>|<=|>=|==|!=|[-+*/%~&|^<>(),]/y;
const wordOperators = new Set(['and', 'or', 'not', 'if', 'else']);
const otherKeywords = new Set(
  (
    'None as assert async await break class continue def del elif except finally for from global import in is lambda ' +
    'nonlocal pass raise return try while with yield'
  ).split(' '),
);

const plainHint = 'Write one Python expression of numbers, operators, parentheses and function calls.';
const explanations: ReadonlyMap<string, string> = new Map([
  ['=', 'Assignments and keyword arguments are not supported; == compares.'],
  ['.', 'Attributes are not supported; write sin(x), not math.sin(x).'],
  ['[', 'Lists and subscripts are not supported; pass numbers as separate arguments: max(1, 2).'],
  ['{', 'Sets and dictionaries are not supported.'],
  ["'", 'Strings are not supported; write numbers without quotes.'],
  ['"', 'Strings are not supported; write numbers without quotes.'],
  [':', 'Assignments, slices and lambdas are not supported.'],
  [';', 'Only one expression is evaluated; write no statements.'],
  ['!', 'There is no ! operator; write factorial(5), or != and not.'],
  ['÷', 'Write / for division.'],
  ['×', 'Write * for multiplication.'],
  ['−', 'Write - (the ASCII hyphen) for minus.'],
  ['√', 'Write sqrt(x).'],
  ['²', 'Write x ** 2.'],
]);

function match(pattern: RegExp, source: string, position: number): string | undefined {
  pattern.lastIndex = position;
  return pattern.exec(source)?.[0];
}

export function tokenise(source: string): Token[] {
  const tokens: Token[] = [];
  const open: number[] = [];
  let lineEnded = false;
  let position = 0;
  while (position < source.length) {
    const skipped = match(blank, source, position) ?? '';
    position += skipped.length;
    if (position >= source.length) break;
    if (source[position] === '\n' || source[position] === '\r') {
      lineEnded ||= open.length === 0 && tokens.length > 0;
      position += 1;
      continue;
    }
    if (lineEnded) {
      throw syntaxError('invalid syntax: a new line outside parentheses', position, 'Put the whole in parentheses.');
    }
    const token = readToken(source, position);
    trackBrackets(token, open);
    tokens.push(token);
    position += token.text.length;
  }
  const unclosed = open.at(-1);
  if (unclosed !== undefined) throw syntaxError("'(' was never closed", unclosed, "Add the missing ')'.");
  tokens.push({ kind: 'end', text: '', position: source.length });
  return tokens;
}

function readToken(source: string, position: number): Token {
  const number = readNumber(source, position);
  if (number !== undefined) return number;
  const word = match(name, source, position);
  if (word !== undefined) return readWord(word, source, position);
  const symbol = match(operator, source, position);
  if (symbol === undefined || (symbol === '<' && source[position + 1] === '>')) throw unexpected(source, position);
  return { kind: 'operator', text: symbol, position };
}

function readWord(word: string, source: string, position: number): Token {
  const next = source[position + word.length];
  if (next === "'" || next === '"') throw unexpected(source, position + word.length);
  if (word === 'True' || word === 'False') return { kind: 'value', value: word === 'True', text: word, position };
  if (wordOperators.has(word)) return { kind: 'operator', text: word, position };
  if (otherKeywords.has(word)) {
    throw syntaxError(`invalid syntax: ${word} is not supported here`, position, plainHint);
  }
  return { kind: 'name', text: word, position };
}

function trackBrackets(token: Token, open: number[]): void {
  if (token.kind !== 'operator') return;
  if (token.text === '(') {
    if (open.length >= maximumBrackets) {
      throw syntaxError(
        'too many nested parentheses',
        token.position,
        `At most ${maximumBrackets} may be open at once.`,
      );
    }
    open.push(token.position);
  } else if (token.text === ')' && open.pop() === undefined) {
    throw syntaxError("unmatched ')'", token.position, "Remove it or add the '(' it belongs to.");
  }
}

function unexpected(source: string, position: number) {
  const code = source.codePointAt(position) ?? 0;
  const character = String.fromCodePoint(code);
  const shown =
    code < 0x20 || code >= 0x7f ? `U+${code.toString(16).toUpperCase().padStart(4, '0')}` : `'${character}'`;
  return syntaxError(`invalid character ${shown}`, position, explanations.get(character) ?? plainHint);
}
