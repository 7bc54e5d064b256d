/** Translates a pattern to RE2, whose matcher takes linear time for every pattern. */
import { RE2JS } from 're2js';
import { isAnchored, measureSize } from './cost.js';
import type { PatternTree } from './parse.js';

/** States times characters that take about 20 ms. */
const work = 1_000_000;
/** Larger patterns take too long to set up. */
const maxStates = 2_000;

export interface LinearMatcher {
  readonly test: (text: string) => boolean;
  /** The maximum length of a text that it may be used for. */
  readonly limit: number;
}

/** Undefined if RE2 cannot express it: back-references, most lookarounds, unusual Unicode properties, its size. */
export function linearMatcher(
  tree: PatternTree,
  { ignoresCase = false }: { readonly ignoresCase?: boolean } = {},
): LinearMatcher | undefined {
  const size = measureSize(tree);
  if (size > maxStates) return undefined;
  const conditions = split(tree);
  const compiled = conditions?.map(({ tree: part, wanted }) => {
    const source = write(part);
    return source === undefined
      ? undefined
      : { expression: compile(source, ignoresCase ? RE2JS.CASE_INSENSITIVE : 0), wanted };
  });
  const usable = compiled?.filter((part) => part?.expression !== undefined);
  if (!compiled || !usable || usable.length < compiled.length) return undefined;
  return {
    test: (text) => usable.every((part) => part?.expression?.test(text) === part?.wanted),
    limit: Math.floor(work / (size + 10)),
  };
}

function compile(source: string, flags: number): RE2JS | undefined {
  try {
    return RE2JS.compile(source, flags);
  } catch {
    return undefined;
  }
}

interface Condition {
  readonly tree: PatternTree;
  readonly wanted: boolean;
}

/**
 * `^(?=a)(?!b)c` matches if `^a` matches, `^b` does not, and `^c` does: separately they are plain expressions. The same
 * holds for `(?=^a)^c`, whose lookahead precedes the anchor.
 */
function split(tree: PatternTree): readonly Condition[] | undefined {
  if (tree.kind !== 'sequence') return [{ tree, wanted: true }];
  const start: PatternTree = { kind: 'position', re2: '^' };
  const looks: Condition[] = [];
  let at = 0;
  let isHeld = false;
  for (let part = tree.parts[at]; part; part = tree.parts[at]) {
    isHeld ||= isAnchored(part);
    if (part.kind === 'look' && part.ahead)
      looks.push({ tree: { kind: 'sequence', parts: [start, part.body] }, wanted: !part.negated });
    else if (part.kind !== 'position' || part.re2 !== '^') break;
    at += 1;
  }
  const rest: PatternTree = { kind: 'sequence', parts: tree.parts.slice(at) };
  if (!isHeld) return [{ tree, wanted: true }];
  return [...looks, { tree: { kind: 'sequence', parts: [start, rest] }, wanted: true }];
}

function write(tree: PatternTree): string | undefined {
  switch (tree.kind) {
    case 'character':
    case 'position':
      return tree.re2;
    case 'backreference':
    case 'look':
      return undefined;
    case 'sequence':
      return joined(tree.parts, '');
    case 'choice':
      return joined(tree.options, '|');
    case 'repeat': {
      const body = write(tree.body);
      const most = tree.most === Number.POSITIVE_INFINITY ? '' : tree.most;
      return body === undefined ? undefined : `(?:${body}){${tree.least},${most}}`;
    }
  }
}

function joined(trees: readonly PatternTree[], separator: string): string | undefined {
  const parts = trees.map(write);
  return parts.includes(undefined) ? undefined : `(?:${parts.join(separator)})`;
}
