/**
 * Whether a repeated part can be split in one way only: then repeating it costs no more than one part of open length,
 * as in `(?:-[a-z]+)*` or `(?:[a-z]|\.(?!\.))*`, and there is no catastrophic backtracking.
 */
import type { PatternTree } from './parse.js';

type Character = Extract<PatternTree, { kind: 'character' }>;

/** Whether a text can be matched by repeating it in one way only, with a clear end of each round. */
export function isUnambiguous(body: PatternTree): boolean {
  return !canBeEmpty(body) && hasOneParse(body) && isDelimited(body);
}

/** Whether a given text can be matched in one way only. */
function hasOneParse(tree: PatternTree): boolean {
  if (tree.kind === 'sequence')
    return tree.parts.every(hasOneParse) && tree.parts.filter((part) => measureLength(part) === undefined).length <= 1;
  if (tree.kind === 'choice') return tree.options.every(hasOneParse) && firstsApart(tree.options) !== undefined;
  if (tree.kind !== 'repeat') return true;
  return !canBeEmpty(tree.body) && hasOneParse(tree.body) && (tree.most === 1 || isDelimited(tree.body));
}

/**
 * Whether the body has a fixed length; or each alternative starts with a character that no other starts with, and one
 * of open length contains none of these otherwise; or it ends with a character that it does not contain otherwise.
 */
function isDelimited(body: PatternTree): boolean {
  if (measureLength(body) !== undefined) return true;
  const options = body.kind === 'choice' ? body.options : [body];
  const firsts = firstsApart(options);
  const isByFirst =
    firsts !== undefined &&
    options
      .filter((option) => measureLength(option) === undefined)
      .every((option) => getRest(option).every((one) => firsts.every((first) => areDisjoint(first, one))));
  if (isByFirst || body.kind !== 'sequence') return isByFirst;
  const last = body.parts.at(-1);
  return last?.kind === 'character' && areAllDisjoint(last, getCharacters({ ...body, parts: body.parts.slice(0, -1) }));
}

export const areAllDisjoint = (one: PatternTree, others: readonly Character[]): boolean =>
  one.kind === 'character' && others.every((other) => areDisjoint(one, other));

function firstsApart(options: readonly PatternTree[]): readonly Character[] | undefined {
  const firsts = options.map(getFirst).filter((first) => first !== undefined);
  if (firsts.length < options.length) return undefined;
  const areApart = firsts.every((first, index) => areAllDisjoint(first, firsts.slice(index + 1)));
  return areApart ? firsts : undefined;
}

const getRest = (option: PatternTree): Character[] =>
  option.kind === 'sequence' ? getCharacters({ ...option, parts: option.parts.slice(1) }) : [];

/** The number of characters it consumes, if that is fixed. */
function measureLength(tree: PatternTree): number | undefined {
  if (tree.kind === 'character') return 1;
  if (tree.kind === 'position' || tree.kind === 'look') return 0;
  if (tree.kind === 'backreference') return undefined;
  if (tree.kind === 'repeat') {
    const length = measureLength(tree.body);
    return length === undefined || tree.least !== tree.most ? undefined : length * tree.most;
  }
  const lengths = (tree.kind === 'sequence' ? tree.parts : tree.options).map(measureLength);
  if (lengths.some((length) => length === undefined)) return undefined;
  if (tree.kind === 'sequence') return lengths.reduce<number>((sum, length) => sum + (length ?? 0), 0);
  return lengths.every((length) => length === lengths[0]) ? lengths[0] : undefined;
}

function canBeEmpty(tree: PatternTree): boolean {
  if (tree.kind === 'sequence') return tree.parts.every(canBeEmpty);
  if (tree.kind === 'choice') return tree.options.some(canBeEmpty);
  return tree.kind === 'repeat' ? tree.least === 0 || canBeEmpty(tree.body) : tree.kind !== 'character';
}

function getFirst(tree: PatternTree): Character | undefined {
  if (tree.kind === 'character') return tree;
  const [first] = tree.kind === 'sequence' ? tree.parts : [];
  return first && getFirst(first);
}

/** The characters it may consume; those only looked at are omitted. */
export function getCharacters(tree: PatternTree): Character[] {
  if (tree.kind === 'character') return [tree];
  if (tree.kind === 'sequence') return tree.parts.flatMap(getCharacters);
  if (tree.kind === 'choice') return tree.options.flatMap(getCharacters);
  return tree.kind === 'repeat' ? getCharacters(tree.body) : [];
}

interface Members {
  /** Which of the first 128 characters it matches. */
  readonly ascii: readonly boolean[];
  /** Whether it matches only these. */
  readonly isAscii: boolean;
}

/** True only if one of the two is ASCII only: then comparing the ASCII characters is enough. */
function areDisjoint(left: Character, right: Character): boolean {
  const [one, other] = [listMembers(left), listMembers(right)];
  if (!one || !other || !(one.isAscii || other.isAscii)) return false;
  return !one.ascii.some((isMember, code) => isMember && other.ascii[code]);
}

/** By their RE2 text: the same classes occur in many patterns. */
const known = new Map<string, Members>();
const maxKnown = 2_000;

function listMembers(character: Character): Members | undefined {
  if (character.re2 === undefined) return undefined;
  const found = known.get(character.re2);
  if (found) return found;
  const codes = [...character.re2.matchAll(/\\x\{([0-9a-f]+)\}/gi)].map(([, code]) => Number.parseInt(code ?? '', 16));
  const isAscii =
    !character.re2.startsWith('[^') && !/\\[pPB]/.test(character.re2) && codes.every((code) => code < 0x80);
  // RE2's class syntax is that of JavaScript except for the braces of a code point.
  const source = character.re2.replace(/\\x\{([0-9a-f]+)\}/gi, (_all, code: string) => `\\u{${code}}`);
  try {
    const test = new RegExp(`^${source}$`, 'u');
    const ascii = Array.from({ length: 128 }, (_, code) => test.test(String.fromCharCode(code)));
    const members = { ascii, isAscii };
    if (known.size >= maxKnown) known.clear();
    known.set(character.re2, members);
    return members;
  } catch {
    return undefined;
  }
}
