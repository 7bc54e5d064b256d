/**
 * Matches regular expressions from an operator or a caller against text from a caller. RE2 takes linear time, but the
 * factor can be seconds for 100,000 characters, so anything that is not clearly small runs in a separate process.
 */
import { HelveError } from '../domain/errors.js';
import type { Workers } from '../domain/workers.js';
import { defineWorker, smallWork } from './sandbox/define-worker.js';
import type { PatternAnswer, PatternSearch } from './search-patterns.js';

const smallText = 200;
const smallPatterns = 500;
const timeoutMs = 3_000;

const worker = defineWorker<typeof import('./search-patterns.js')>(import.meta.url, {
  module: './search-patterns.js',
  places: smallWork,
  residentMb: 1_024,
});

/**
 * Finds the first pattern that matches somewhere in the text, or the first invalid one. Throws `timeout` or
 * `cancelled`.
 */
export async function firstMatch(
  workers: Workers,
  { patterns, text }: PatternSearch,
  signal?: AbortSignal,
): Promise<PatternAnswer> {
  if (patterns.length === 0) return undefined;
  const characters = patterns.reduce((sum, pattern) => sum + pattern.length, 0);
  // `{` repeats: a short pattern that contains it can expand to a long one.
  const small = text.length <= smallText && characters <= smallPatterns && !patterns.some((each) => each.includes('{'));
  if (small) return (await import('./search-patterns.js')).searchPatterns({ patterns, text });
  try {
    return await workers.ask(worker, {
      call: 'searchPatterns',
      message: { patterns, text },
      heapMb: 128,
      timeoutMs,
      signal,
    });
  } catch (error) {
    if (!(error instanceof HelveError) || error.code !== 'timeout') throw error;
    throw new HelveError('timeout', `Comparing the text with the patterns took over ${timeoutMs} ms`, {
      hint: 'Send a shorter text.',
    });
  }
}
