/** How long a backtracking matcher can take for a pattern, and the text length up to which it may therefore be used. */
import type { PatternTree } from './parse.js';
import { areAllDisjoint, getCharacters, isUnambiguous } from './unambiguous.js';

interface Measure {
  /** The number of ways it can match at one position of a text of that length. */
  readonly ways: (length: number) => number;
  /** Steps that lookarounds add to each of these. A lookaround never backtracks into what it has matched. */
  readonly aside: (length: number) => number;
}

/** An unnoticeable number of steps of a backtracking matcher: under 2 ms. */
const steps = 200_000;
/** Steps per character that count as linear. */
const perCharacter = 64;
/** Longer texts never get here: a value of this size is refused earlier. */
const maxText = 2 ** 26;
const one = (): number => 1;
const none = (): number => 0;
const single: Measure = { ways: one, aside: none };

export interface NativeCost {
  /** Whether backtracking is linear for every text. */
  readonly isLinear: boolean;
  /** The maximum number of characters for which backtracking is harmless: 0 for never, infinite for always. */
  readonly limit: number;
  /** The worst-case steps for a text of that many characters. */
  readonly steps: (length: number) => number;
}

/**
 * The cost of a repetition is bounded by its count and by the length of the text, whichever is less: `^.{0,262144}$`
 * takes as many steps as the text has characters.
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
 * If the next character cannot occur in any of the parts before, those parts can end only there: the cost of what
 * follows is added to theirs rather than multiplied.
 */
function inSequence(parts: readonly PatternTree[]): Measure {
  let open: PatternTree[] = [];
  let whole: Measure = { ways: none, aside: none };
  let current = single;
  for (const part of parts) {
    if (areAllDisjoint(part, open.flatMap(getCharacters))) {
      whole = or(whole, current);
      current = single;
      open = [];
    }
    // A part with only one position changes nothing.
    if (open.length > 0 || !['character', 'position'].includes(part.kind)) open.push(part);
    current = after(current, measure(part));
  }
  return or(whole, current);
}

/**
 * The same pattern, when only the verdict matters: a repetition at its end need not repeat more often than required,
 * since nothing follows it.
 */
export function withoutTail(tree: PatternTree): PatternTree {
  if (tree.kind === 'choice') return { kind: 'choice', options: tree.options.map(withoutTail) };
  if (tree.kind === 'repeat') return { ...tree, most: tree.least };
  if (tree.kind !== 'sequence') return tree;
  const last = tree.parts.at(-1);
  return last ? { kind: 'sequence', parts: [...tree.parts.slice(0, -1), withoutTail(last)] } : tree;
}

/** Whether it can match only at the start of the text. */
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

/** Approximate number of states of a matcher without backtracking: each repetition counts. */
export function measureSize(tree: PatternTree): number {
  switch (tree.kind) {
    case 'look':
      return measureSize(tree.body);
    case 'sequence':
      return tree.parts.reduce((sum, part) => sum + measureSize(part), 1);
    case 'choice':
      return tree.options.reduce((sum, option) => sum + measureSize(option), 1);
    case 'repeat':
      return measureSize(tree.body) * Math.max(1, tree.most === Number.POSITIVE_INFINITY ? tree.least : tree.most);
    default:
      // A Unicode property consists of hundreds of ranges.
      return tree.kind === 'character' && /\\[pP]/.test(tree.re2 ?? '') ? 20 : 1;
  }
}
