/** What the system says about a file, for a person at the command line: what is wrong with which file, and what to do. */
import { type ErrorCode, HelveError } from '../../domain/errors.js';

interface Problem {
  readonly code: ErrorCode;
  readonly what: string;
  readonly hint: string;
}

const denied: Problem = {
  code: 'storage_failed',
  what: 'this user may not read or change it',
  hint: 'Run the command as the user that owns it, or change its owner and mode.',
};

const problems: Readonly<Record<string, Problem>> = {
  EACCES: denied,
  EPERM: denied,
  ENOENT: { code: 'not_found', what: 'it does not exist', hint: 'Name a file or a folder that exists.' },
  EEXIST: { code: 'conflict', what: 'it exists already', hint: 'Name a new file or folder.' },
  EISDIR: { code: 'invalid_input', what: 'it is a folder', hint: 'Name a file.' },
  ENOTDIR: { code: 'invalid_input', what: 'a part of this path is a file', hint: 'Correct the path.' },
  ENOSPC: { code: 'storage_failed', what: 'the disk is full', hint: 'Make room on it, and try again.' },
  EROFS: { code: 'storage_failed', what: 'the disk is read-only', hint: 'Name another place, or mount it writable.' },
};

/** Undefined for what is no error of a call of the system on a file, or one of another kind. */
export function findFileProblem(error: unknown): HelveError | undefined {
  if (!(error instanceof Error) || error instanceof HelveError) return undefined;
  const { code = '', syscall, path } = error as NodeJS.ErrnoException;
  const problem = Object.hasOwn(problems, code) ? problems[code] : undefined;
  if (problem === undefined || syscall === undefined) return undefined;
  // A read of a folder names none.
  const place = path ?? 'A file that the command needs';
  return new HelveError(problem.code, `${place}: ${problem.what}`, { hint: problem.hint, cause: error });
}
