/**
 * A caller's glob over relative paths, as an RE2 regular expression: matching takes linear time for every pattern. `*`
 * and `?` stop at `/`, `**` does not; `[a-z]`, `[!a]`, `{a,b}` and `\` as in a shell. Names that start with a dot are
 * matched like any other.
 */
import { HelveError } from '../../domain/errors.js';

export interface PathGlob {
  /** Whether it can match anything below the first level. */
  readonly deep: boolean;
  matches(relative: string): boolean;
}

const maxCharacters = 512;

/** The globs that nearly every call uses need no compilation. */
const everything: PathGlob = { deep: true, matches: () => true };
const usual: ReadonlyMap<string, PathGlob> = new Map([
  ['*', { deep: false, matches: (relative) => !relative.includes('/') }],
  ['**', everything],
  ['**/*', everything],
]);

export async function compileGlob(pattern: string): Promise<PathGlob> {
  const known = usual.get(pattern);
  if (known) return known;
  if (pattern.length > maxCharacters) throw badGlob(`is longer than ${maxCharacters} characters`);
  if (pattern.includes('\0')) throw badGlob('contains a null byte');
  if (pattern.startsWith('/') || pattern.split('/').includes('..')) throw badGlob('must stay below the folder');
  const { RE2JS } = await import('re2js');
  try {
    const compiled = RE2JS.compile(expression(pattern.replace(/^(\.\/)+/, '')), RE2JS.DOTALL);
    return { deep: /\/|\*\*/.test(pattern), matches: (relative) => compiled.matches(relative) };
  } catch (error) {
    throw badGlob(`is not valid: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function badGlob(problem: string): HelveError {
  return new HelveError('invalid_input', `The pattern ${problem}`, {
    hint: 'Give a glob over paths below the folder, e.g. *.md or src/**/*.{ts,js}',
  });
}

function expression(pattern: string): string {
  const braces = balanced(pattern);
  let open = 0;
  let out = '';
  for (let at = 0; at < pattern.length; ) {
    const piece = starsAt(pattern, at) ?? setAt(pattern, at) ?? escapeAt(pattern, at);
    const character = String.fromCodePoint(pattern.codePointAt(at) ?? 0);
    if (piece) out += piece.expression;
    else if (character === '?') out += '[^/]';
    else if (braces && character === '{') {
      open += 1;
      out += '(?:';
    } else if (open > 0 && character === '}') {
      open -= 1;
      out += ')';
    } else if (open > 0 && character === ',') out += '|';
    else out += literal(character);
    at += (piece?.pattern ?? character).length;
  }
  return out;
}

/** A part of a pattern, and what it is as an expression. */
interface Piece {
  readonly pattern: string;
  readonly expression: string;
}

function starsAt(pattern: string, at: number): Piece | undefined {
  const rest = pattern.slice(at);
  const [stars] = /^\*+/.exec(rest) ?? [];
  if (stars === undefined) return undefined;
  const alone = stars.length > 1 && (at === 0 || pattern[at - 1] === '/');
  if (alone && rest[stars.length] === '/') return { pattern: `${stars}/`, expression: '(?:[^/]+/)*' };
  return { pattern: stars, expression: alone && stars.length === rest.length ? '.*' : '[^/]*' };
}

function setAt(pattern: string, at: number): Piece | undefined {
  const [set, negation, members = ''] = /^\[(!|\^)?(\]?(?:\\.|[^\]\\])*)\]/s.exec(pattern.slice(at)) ?? [];
  return set === undefined ? undefined : { pattern: set, expression: characters(negation !== undefined, members) };
}

function escapeAt(pattern: string, at: number): Piece | undefined {
  const [escaped, character = ''] = /^\\(.)/su.exec(pattern.slice(at)) ?? [];
  return escaped === undefined ? undefined : { pattern: escaped, expression: literal(character) };
}

function characters(negated: boolean, members: string): string {
  const inner = members
    .replace(/\\(.)/gsu, '$1')
    .replaceAll('/', '')
    .replace(/[\\[\]^&~]/g, '\\$&');
  if (inner === '') return negated ? '[^/]' : '\\[\\]';
  return negated ? `[^/${inner}]` : `[${inner}]`;
}

/** Unbalanced braces are ordinary characters. */
function balanced(pattern: string): boolean {
  let open = 0;
  for (const character of pattern.replace(/\\./gs, '')) {
    if (character === '{') open += 1;
    else if (character === '}' && --open < 0) return false;
  }
  return open === 0;
}

const literal = (character: string): string => character.replace(/[\\^$.*+?()[\]{}|/&~-]/g, '\\$&');
