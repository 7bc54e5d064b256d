/**
 * Removes the types from a program, in a worker: some programs make the parser run out of stack, after which it is
 * unusable.
 */
import type { CodeIssue } from '../../domain/code.js';
import { HelveError } from '../../domain/errors.js';
import type { Workers } from '../../domain/workers.js';
import { defineWorker } from '../sandbox/define-worker.js';

const worker = defineWorker<typeof import('./erase-types.js')>(import.meta.url, {
  module: './erase-types.js',
  places: { most: 2, mostOfKey: 2, idleMs: 600_000 },
});
const timeoutMs = 5_000;

/** Either JavaScript, or the reasons why there is none. */
export type StrippedProgram =
  | { readonly code: string; readonly issue?: undefined }
  | { readonly code?: undefined; readonly issue: CodeIssue };

/**
 * Replaces the types of a TypeScript script or module by spaces, so that all that stays keeps its line and column. It checks
 * syntax but no types. What would have to become code (enums, namespaces, parameter properties) is an issue. Throws
 * `cancelled` and `shutting_down`.
 */
export async function stripTypes(workers: Workers, code: string, signal?: AbortSignal): Promise<StrippedProgram> {
  try {
    return await workers.ask(worker, { call: 'eraseTypes', message: code, heapMb: 256, timeoutMs, signal });
  } catch (error) {
    if (!(error instanceof HelveError && (error.code === 'too_large' || error.code === 'timeout'))) throw error;
    return { issue: { line: 1, column: 1, message: 'The program is nested too deeply to be read: make it flatter' } };
  }
}
