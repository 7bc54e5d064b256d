/** How long a backtracking matcher can take for a pattern, and for how long a text it may therefore be used. */
import type { PatternTree } from './parse.js';
import { areAllDisjoint, charactersOf, isUnambiguous } from './unambiguous.js';

interface Measure {
  /** In how many ways it can match at one place; what is endless counts as one. */
  readonly ways: number;
  /** How many parts of open length stand one after the other: each is a power of the text's length. */
  readonly endless: number;
  /** The power that looking around adds. It never goes back into what it has seen. */
  readonly aside: number;
}

/** Steps of a backtracking matcher that nobody notices: under 2 ms. */
const steps = 200_000;
const hopeless: Measure = { ways: 1, endless: Number.POSITIVE_INFINITY, aside: 0 };

export interface NativeCost {
  /** The most characters for which backtracking is harmless: 0 never, infinite always. */
  readonly limit: number;
  /** Steps for a text of that many characters, at worst. */
  readonly steps: (length: number) => number;
}

export function nativeCost(tree: PatternTree): NativeCost {
  const { ways, endless, aside } = measure(tree);
  const power = endless + aside + (isAnchored(tree) ? 0 : 1);
  const cost = (length: number): number => ways * length ** power;
  if (!Number.isFinite(power) || ways > 1_000) return { limit: 0, steps: cost };
  if (power <= 1 && ways <= 64) return { limit: Number.POSITIVE_INFINITY, steps: (length) => length };
  return { limit: Math.floor((steps / ways) ** (1 / Math.max(1, power))), steps: cost };
}

function measure(tree: PatternTree): Measure {
  switch (tree.kind) {
    case 'character':
    case 'position':
    case 'backreference':
      return { ways: 1, endless: 0, aside: 0 };
    case 'look': {
      const body = measure(tree.body);
      return { ways: body.ways, endless: 0, aside: body.endless + body.aside };
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
  ways: left.ways * right.ways,
  endless: left.endless + right.endless,
  aside: Math.max(left.aside, right.aside),
});

const or = (left: Measure, right: Measure): Measure => ({
  ways: left.ways + right.ways,
  endless: Math.max(left.endless, right.endless),
  aside: Math.max(left.aside, right.aside),
});

function repeated(tree: PatternTree, least: number, most: number): Measure {
  const body = measure(tree);
  if (most === Number.POSITIVE_INFINITY)
    return isUnambiguous(tree) ? { ways: 1, endless: 1, aside: body.aside } : hopeless;
  return { ways: (most - least + 1) * body.ways ** most, endless: body.endless * most, aside: body.aside };
}

/**
 * Where a character follows that none of the parts before can hold, these end there and nowhere else: what comes after costs
 * on top of them, and not so many times as much.
 */
function inSequence(parts: readonly PatternTree[]): Measure {
  let open: PatternTree[] = [];
  let whole: Measure = { ways: 1, endless: 0, aside: 0 };
  let current = whole;
  for (const part of parts) {
    if (areAllDisjoint(part, open.flatMap(charactersOf))) {
      whole = or(whole, current);
      current = { ways: 1, endless: 0, aside: 0 };
      open = [];
    }
    open.push(part);
    current = after(current, measure(part));
  }
  return or(whole, current);
}

export function isAnchored(tree: PatternTree): boolean {
  if (tree.kind === 'choice') return tree.options.every(isAnchored);
  if (tree.kind !== 'sequence') return tree.kind === 'position' && tree.re2 === '^';
  const [first] = tree.parts;
  return first !== undefined && isAnchored(first);
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
