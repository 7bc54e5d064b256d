/**
 * Matches untrusted regular expressions in linear time: the engine's own matcher if it cannot backtrack badly, RE2
 * otherwise. A pattern that neither can handle is refused at admission; a text that is too long for both is refused
 * when it is compared.
 */
import { measureSize, type NativeCost, nativeCost, withoutTail } from './cost.js';
import { type PatternTree, parsePattern } from './parse.js';
import { type LinearMatcher, linearMatcher } from './re2.js';

export interface Matcher {
  /** The engine's own matcher, if it takes linear time for every text. */
  readonly native: RegExp | undefined;
  /** The worst-case steps (of `schema/run.ts`) of a comparison. */
  readonly steps: (length: number) => number;
  /** Undefined if the text is too long to be compared with this pattern. */
  readonly test: (text: string) => boolean | undefined;
}

export type MatcherAnswer = { readonly matcher: Matcher } | { readonly problem: string };

/** Maximum characters of a pattern. */
const maxPattern = 10_000;
/** A pattern that can be compared only with shorter texts is of no use. */
const minLimit = 20;
const known = new Map<string, MatcherAnswer>();
const maxKnown = 5_000;

/** The most recent patterns are cached: real ones repeat. */
export function findMatcher(source: string): MatcherAnswer {
  const found = known.get(source);
  if (found) return found;
  const made = createMatcher(source);
  if (known.size >= maxKnown) known.delete(known.keys().next().value ?? '');
  known.set(source, made);
  return made;
}

/**
 * Whether values can be compared with this pattern, which decides whether a schema with it is admitted. Takes the
 * pattern as written in the schema; never throws.
 */
export const isUsablePattern = (source: string): boolean => 'matcher' in findMatcher(source);

function createMatcher(whole: string): MatcherAnswer {
  if (whole.length > maxPattern) return { problem: `is longer than ${maxPattern} characters` };
  // Other languages write it like this; JavaScript has no such group, but RE2 does.
  const ignoresCase = caseFlag.test(whole);
  const source = ignoresCase ? whole.replace(caseFlag, '$1') : whole;
  const native = compile(source);
  if (native instanceof Error) return { problem: `is not a regular expression: ${native.message.slice(0, 200)}` };
  let tree: PatternTree;
  try {
    tree = withoutTail(parsePattern(source));
  } catch (error) {
    return { problem: `cannot be used: ${(error as Error).message}` };
  }
  const cost = ignoresCase ? never : nativeCost(tree);
  const natively = (text: string): boolean | undefined => testNatively(native, text);
  if (cost.isLinear) return { matcher: { native, steps: (length) => 4 + length / 4, test: natively } };
  let linear: LinearMatcher | undefined;
  let isMade = false;
  const make = (): LinearMatcher | undefined => {
    if (!isMade) linear = linearMatcher(tree, { ignoresCase });
    isMade = true;
    return linear;
  };
  const { limit } = cost;
  if (limit < minLimit && make() === undefined) return { problem: 'cannot be matched in linear time' };
  const test = (text: string): boolean | undefined => {
    if (text.length <= limit) return natively(text);
    const matcher = make();
    return matcher && text.length <= matcher.limit ? matcher.test(text) : undefined;
  };
  const steps = (length: number): number =>
    4 + (length <= limit ? (length + cost.steps(length)) / 4 : 400 + length * (measureSize(tree) + 10) * 2);
  return { matcher: { native: undefined, steps, test } };
}

/** `(?i)` at the start, also after the anchor. */
const caseFlag = /^(\^?)\(\?i\)/;
const never: NativeCost = { isLinear: false, limit: 0, steps: () => Number.POSITIVE_INFINITY };

/** Undefined if the text is too long for the matcher's stack. */
function testNatively(native: RegExp, text: string): boolean | undefined {
  try {
    return native.test(text);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** With the `u` flag, as JSON Schema requires; without it for the many patterns that escape more than `u` allows. */
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
