/** How a call, a program or an attempt has failed, in words. */
import type { Messages } from './en.js';

/**
 * Undefined for a code that has no words: programs end with whatever codes they like. A problem with the right to do something
 * is here one of the agent that failed, not of the person who reads about it.
 */
export function sayFailure(
  { problems, failures }: Pick<Messages, 'problems' | 'failures'>,
  code: string | undefined,
): string | undefined {
  const words: Readonly<Record<string, string>> = { ...problems, ...failures };
  return code !== undefined && Object.hasOwn(words, code) ? words[code] : undefined;
}
