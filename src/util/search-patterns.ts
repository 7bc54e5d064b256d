/** Regular expressions of RE2 over one text. Runs in a worker, and in Helve's own process where both are short. */
import { RE2JS } from 're2js';

export type PatternAnswer =
  | { readonly matched: string }
  | { readonly malformed: string; readonly problem: string }
  | undefined;

export interface PatternSearch {
  readonly patterns: readonly string[];
  readonly text: string;
}

/** The first pattern that matches somewhere in the text, or the first that is no regular expression. */
export function searchPatterns({ patterns, text }: PatternSearch): PatternAnswer {
  for (const pattern of patterns) {
    try {
      if (RE2JS.compile(pattern).matcher(text).find()) return { matched: pattern };
    } catch (error) {
      return { malformed: pattern, problem: error instanceof Error ? error.message : String(error) };
    }
  }
  return undefined;
}
