/** Converts a model's program to the code that the sandbox runs. */
import type { CodeIssue } from '../../domain/code.js';
import type { Workers } from '../../domain/workers.js';
import { stripTypes } from './strip-types.js';
import { wrap } from './wrap.js';

export interface ProgramText {
  readonly code: string;
  readonly language: 'typescript' | 'javascript';
  readonly signal?: AbortSignal;
}

/** Either the body of an async function, or the reasons why there is none. */
export type RunnableProgram =
  | { readonly code: string; readonly place: <Found extends Place>(found: Found) => Found; readonly issue?: undefined }
  | { readonly code?: undefined; readonly issue: CodeIssue };

/** From 1. */
interface Place {
  readonly line?: number;
  readonly column?: number;
}

const opening = '(async () => {';
const closing = '})';

/**
 * Makes JavaScript of a program in any of its forms: statements, a module with a default export, an async function.
 * `place` turns a place in that JavaScript into the one in the program. Throws what `stripTypes` throws.
 */
export async function toRunnable(workers: Workers, { code, language, signal }: ProgramText): Promise<RunnableProgram> {
  const { text, prefix } = wrap(code);
  const stripped = language === 'javascript' ? { code: text } : await stripTypes(workers, text, signal);
  if (stripped.issue) return { issue: { ...stripped.issue, ...shift(stripped.issue, prefix.length) } };
  const moved = prefix.length - opening.length;
  return {
    code: stripped.code.slice(opening.length, -closing.length),
    place: (found) => shift(found, moved),
  };
}

function shift<Found extends Place>(found: Found, by: number): Found {
  if (found.line !== 1 || found.column === undefined) return found;
  return { ...found, column: Math.max(1, found.column - by) };
}
