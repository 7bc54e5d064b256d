/**
 * Regular expressions of strangers, in linear time: the machine's own matcher where it cannot run away, RE2 otherwise.
 * A pattern for which neither does is refused at admission; a text that is too long for both, when it is compared.
 */
import { nativeCost, sizeOf } from './cost.js';
import { type PatternTree, parsePattern } from './parse.js';
import { type LinearMatcher, linearMatcher } from './re2.js';

export interface Matcher {
  /** The machine's own, where it takes linear time whatever the text. */
  readonly native: RegExp | undefined;
  /** Steps (of `schema/run.ts`) that a comparison takes at worst. */
  readonly steps: (length: number) => number;
  /** Undefined: the text is too long to be compared with this pattern. */
  readonly test: (text: string) => boolean | undefined;
}

export type MatcherAnswer = { readonly matcher: Matcher } | { readonly problem: string };

const longest = 10_000;
const known = new Map<string, MatcherAnswer>();
const mostKnown = 5_000;

/** Kept for the patterns met last: real ones repeat. */
export function findMatcher(source: string): MatcherAnswer {
  const found = known.get(source);
  if (found) return found;
  const made = createMatcher(source);
  if (known.size >= mostKnown) known.delete(known.keys().next().value ?? '');
  known.set(source, made);
  return made;
}

function createMatcher(source: string): MatcherAnswer {
  if (source.length > longest) return { problem: `is longer than ${longest} characters` };
  const native = compile(source);
  if (native instanceof Error) return { problem: `is no regular expression: ${native.message.slice(0, 200)}` };
  let tree: PatternTree;
  try {
    tree = parsePattern(source);
  } catch (error) {
    return { problem: `cannot be used: ${(error as Error).message}` };
  }
  const { limit, steps } = nativeCost(tree);
  if (limit === Number.POSITIVE_INFINITY)
    return { matcher: { native, steps: (length) => 4 + length / 4, test: (text) => native.test(text) } };
  let linear: LinearMatcher | undefined;
  let isMade = false;
  const make = (): LinearMatcher | undefined => {
    if (!isMade) linear = linearMatcher(tree);
    isMade = true;
    return linear;
  };
  if (limit === 0 && make() === undefined) return { problem: 'cannot be matched in linear time' };
  const test = (text: string): boolean | undefined => {
    if (text.length <= limit) return native.test(text);
    const matcher = make();
    return matcher && text.length <= matcher.limit ? matcher.test(text) : undefined;
  };
  const cost = (length: number): number =>
    4 + (length <= limit ? steps(length) / 4 : 400 + length * (sizeOf(tree) + 10) * 2);
  return { matcher: { native: undefined, steps: cost, test } };
}

/** With `u`, as JSON Schema wants it; without for the many that escape more than `u` allows. */
function compile(source: string): RegExp | Error {
  try {
    return new RegExp(source, 'u');
  } catch {
    try {
      return new RegExp(source);
    } catch (error) {
      return error as Error;
    }
  }
}
