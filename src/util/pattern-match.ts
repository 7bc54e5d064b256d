/**
 * Regular expressions that an operator or a caller wrote, over text of a caller. RE2 takes linear time, but the factor
 * can be seconds for 100,000 characters, so whatever is not plainly small is done in a process of its own.
 */
import { HelveError } from '../domain/errors.js';
import { runFunction } from './sandbox/process-function.js';

export type PatternAnswer =
  | { readonly matched: string }
  | { readonly malformed: string; readonly problem: string }
  | undefined;

const smallText = 200;
const smallPatterns = 500;
const timeoutMs = 3_000;

/** The first pattern that matches somewhere in the text, or the first that is none. Throws `timeout` or `cancelled`. */
export async function firstMatch(
  patterns: readonly string[],
  text: string,
  signal?: AbortSignal,
): Promise<PatternAnswer> {
  if (patterns.length === 0) return undefined;
  const characters = patterns.reduce((sum, pattern) => sum + pattern.length, 0);
  // `{` repeats: a short pattern with it can be a long one.
  const small = text.length <= smallText && characters <= smallPatterns && !patterns.some((each) => each.includes('{'));
  if (small) return search({ re2js: (await import('re2js')) as never }, { patterns, text });
  try {
    return await runFunction({
      libraries: { re2js: 're2js' },
      work: search,
      data: { patterns, text },
      timeoutMs,
      maxHeapMb: 128,
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (error) {
    if (!(error instanceof HelveError) || error.code !== 'timeout') throw error;
    throw new HelveError('timeout', `Comparing the text with the patterns took over ${timeoutMs} ms`, {
      hint: 'Send a shorter text.',
    });
  }
}

/** Stands alone: it is sent to the other process as text. */
function search(
  { re2js }: { readonly re2js?: never },
  { patterns, text }: { readonly patterns: readonly string[]; readonly text: string },
): PatternAnswer {
  const { RE2JS } = re2js as unknown as typeof import('re2js');
  for (const pattern of patterns) {
    try {
      if (RE2JS.compile(pattern).matcher(text).find()) return { matched: pattern };
    } catch (error) {
      return { malformed: pattern, problem: error instanceof Error ? error.message : String(error) };
    }
  }
  return undefined;
}
