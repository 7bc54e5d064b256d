/** How long a backtracking matcher can take for a pattern, and for how long a text it may therefore be used. */
import type { PatternTree } from './parse.js';
import { areAllDisjoint, charactersOf, isUnambiguous } from './unambiguous.js';

interface Measure {
  /** In how many ways it can match at one place of a text of that length. */
  readonly ways: (length: number) => number;
  /** Steps that looking around adds to each of these. It never goes back into what it has seen. */
  readonly aside: (length: number) => number;
}

/** Steps of a backtracking matcher that nobody notices: under 2 ms. */
const steps = 200_000;
/** Steps for each character that count as linear. */
const perCharacter = 64;
/** Longer texts never come here: a value of this size is refused before. */
const maxText = 2 ** 26;
const one = (): number => 1;
const none = (): number => 0;
const single: Measure = { ways: one, aside: none };

export interface NativeCost {
  /** Whether backtracking is linear in the text, whatever the text. */
  readonly isLinear: boolean;
  /** The most characters for which backtracking is harmless: 0 never, infinite always. */
  readonly limit: number;
  /** Steps for a text of that many characters, at worst. */
  readonly steps: (length: number) => number;
}

/**
 * What a repeat costs is bounded by its count and by the length of the text, whichever is less: `^.{0,262144}$` takes as
 * many steps as the text has characters.
 */
export function nativeCost(tree: PatternTree): NativeCost {
  const { ways, aside } = measure(tree);
  const places = isAnchored(tree) ? one : (length: number) => length;
  const cost = (length: number): number => ways(length) * (1 + aside(length)) * places(length);
  let isLinear = true;
  for (let length = 1; length <= maxText; length *= 2) isLinear &&= cost(length) <= perCharacter * (length + 16);
  return { isLinear, limit: isLinear ? Number.POSITIVE_INFINITY : maxHarmless(cost), steps: cost };
}

function maxHarmless(cost: (length: number) => number): number {
  if (cost(maxText) <= steps) return Number.POSITIVE_INFINITY;
  let [harmless, tooLong] = [0, maxText];
  while (tooLong - harmless > 1) {
    const middle = Math.floor((harmless + tooLong) / 2);
    if (cost(middle) <= steps) harmless = middle;
    else tooLong = middle;
  }
  return harmless;
}

function measure(tree: PatternTree): Measure {
  switch (tree.kind) {
    case 'character':
    case 'position':
    case 'backreference':
      return single;
    case 'look': {
      const { ways, aside } = measure(tree.body);
      return { ways: one, aside: (length) => ways(length) * (1 + aside(length)) };
    }
    case 'sequence':
      return inSequence(tree.parts);
    case 'choice':
      return tree.options.map(measure).reduce(or);
    case 'repeat':
      return repeated(tree.body, tree.least, tree.most);
  }
}

const after = (left: Measure, right: Measure): Measure => ({
  ways: (length) => left.ways(length) * right.ways(length),
  aside: (length) => left.aside(length) + right.aside(length),
});

const or = (left: Measure, right: Measure): Measure => ({
  ways: (length) => left.ways(length) + right.ways(length),
  aside: (length) => left.aside(length) + right.aside(length),
});

function repeated(tree: PatternTree, least: number, most: number): Measure {
  const { ways, aside } = measure(tree);
  const counted = (length: number): number =>
    most === Number.POSITIVE_INFINITY ? most : (most - least + 1) * ways(length) ** most;
  if (counted(maxText) <= perCharacter) return { ways: counted, aside };
  const ends = isUnambiguous(tree) ? (length: number) => length : () => Number.POSITIVE_INFINITY;
  return { ways: (length) => Math.min(counted(length), ends(length)), aside };
}

/**
 * Where a character follows that none of the parts before can hold, these end there and nowhere else: what comes after costs
 * on top of them, and not so many times as much.
 */
function inSequence(parts: readonly PatternTree[]): Measure {
  let open: PatternTree[] = [];
  let whole: Measure = { ways: none, aside: none };
  let current = single;
  for (const part of parts) {
    if (areAllDisjoint(part, open.flatMap(charactersOf))) {
      whole = or(whole, current);
      current = single;
      open = [];
    }
    // What has one place only shifts nothing.
    if (open.length > 0 || !['character', 'position'].includes(part.kind)) open.push(part);
    current = after(current, measure(part));
  }
  return or(whole, current);
}

/**
 * The same pattern for those who only ask whether it matches: what is repeated at its end need not be repeated more often
 * than it must, since nothing comes after it.
 */
export function withoutTail(tree: PatternTree): PatternTree {
  if (tree.kind === 'choice') return { kind: 'choice', options: tree.options.map(withoutTail) };
  if (tree.kind === 'repeat') return { ...tree, most: tree.least };
  if (tree.kind !== 'sequence') return tree;
  const last = tree.parts.at(-1);
  return last ? { kind: 'sequence', parts: [...tree.parts.slice(0, -1), withoutTail(last)] } : tree;
}

/** Whether it can match at the start of the text only. */
export function isAnchored(tree: PatternTree): boolean {
  if (tree.kind === 'choice') return tree.options.every(isAnchored);
  if (tree.kind === 'look') return tree.ahead && !tree.negated && isAnchored(tree.body);
  if (tree.kind !== 'sequence') return tree.kind === 'position' && tree.re2 === '^';
  for (const part of tree.parts) {
    if (isAnchored(part)) return true;
    if (part.kind !== 'look' || !part.ahead) return false;
  }
  return false;
}

/** How many states a matcher without backtracking has, about: what is repeated counts each time. */
export function sizeOf(tree: PatternTree): number {
  switch (tree.kind) {
    case 'look':
      return sizeOf(tree.body);
    case 'sequence':
      return tree.parts.reduce((sum, part) => sum + sizeOf(part), 1);
    case 'choice':
      return tree.options.reduce((sum, option) => sum + sizeOf(option), 1);
    case 'repeat':
      return sizeOf(tree.body) * Math.max(1, tree.most === Number.POSITIVE_INFINITY ? tree.least : tree.most);
    default:
      // A property of Unicode is hundreds of ranges.
      return tree.kind === 'character' && /\\[pP]/.test(tree.re2 ?? '') ? 20 : 1;
  }
}
