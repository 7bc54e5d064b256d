/** Failures of file access, each as an error that a model can act on. */
import { HelveError } from '../../domain/errors.js';

export const invalidPath = (problem: string, hint = 'Give a plain path, as list_dir shows it.'): HelveError =>
  new HelveError('invalid_input', problem, { hint });

export const notFound = (path: string): HelveError =>
  new HelveError('not_found', `There is no ${quoted(path)}`, {
    hint: 'List its parent folder to see what exists; create_directory creates a missing folder.',
  });

export const changedMeanwhile = (path: string): HelveError =>
  new HelveError('conflict', `${quoted(path)} was changed by another process at the same moment; nothing was done`, {
    hint: 'Check it again, then repeat the call.',
  });

export const wrongKind = (path: string, what: string, hint: string): HelveError =>
  new HelveError('conflict', `${quoted(path)} is ${what}`, { hint });

export const isFolder = (path: string): HelveError =>
  wrongKind(path, 'a folder', 'Name a file; list_dir shows what a folder contains.');

export const isSpecial = (path: string): HelveError =>
  new HelveError('forbidden', `${quoted(path)} is neither a file nor a folder`, {
    hint: 'Devices, pipes and sockets are not available.',
  });

export const severalNames = (path: string): HelveError =>
  new HelveError('forbidden', `${quoted(path)} has several names (hard links), some of which may be elsewhere`, {
    hint: 'Use a copy that has one name; write_file with mode overwrite replaces it with a new file.',
  });

export const tooLarge = (path: string, size: number, most: number): HelveError =>
  new HelveError('too_large', `${quoted(path)} has or would have ${size} bytes; at most ${most} are allowed`, {
    hint: 'Split it into smaller files, or ask the operator to raise max_bytes in tool_config.',
    details: { size, max_bytes: most },
  });

export const cancelled = (): HelveError => new HelveError('cancelled', 'The call was cancelled');

export const isMissing = (thrown: unknown): boolean => codeOf(thrown) === 'ENOENT';

export function codeOf(thrown: unknown): string | undefined {
  return thrown instanceof Error ? (thrown as NodeJS.ErrnoException).code : undefined;
}

/** Translates an error of the system: the original would name our descriptors. Any other error is a bug. */
export function asFileError(thrown: unknown, path: string): unknown {
  const code = codeOf(thrown) ?? '';
  if (!/^E[A-Z0-9]+$/.test(code)) return thrown;
  return translate(code, path, thrown);
}

function translate(code: string, path: string, cause: unknown): HelveError {
  const name = quoted(path);
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return notFound(path);
    case 'ENAMETOOLONG':
      return invalidPath(`${name} is too long for the file system`, 'A name has at most 255 bytes, a path 4095.');
    case 'EINVAL':
      return invalidPath(`${name} is not a possible name here`);
    case 'ELOOP':
      return new HelveError('forbidden', `${name} is a link that may not be followed`, { cause });
    case 'EACCES':
    case 'EPERM':
      return new HelveError('forbidden', `The operating system does not allow Helve to do that with ${name}`, {
        cause,
      });
    case 'EROFS':
      return new HelveError('forbidden', `${name} is on a read-only file system`, { cause });
    case 'EISDIR':
      return isFolder(path);
    case 'EEXIST':
    case 'ENOTEMPTY':
    case 'EBUSY':
    case 'ETXTBSY':
      return new HelveError('conflict', `${name} is in the way or in use (${code})`, { cause });
    case 'EXDEV':
      return wrongKind(path, 'on another disk than its destination', 'Read it, write it there, then delete it here.');
    case 'EFBIG':
      return new HelveError('too_large', `${name} would be too large for the file system`, { cause });
    case 'ENOSPC':
    case 'EDQUOT':
      return new HelveError('tool_failed', `There is no room left on the disk for ${name}`, {
        hint: 'Delete what is no longer needed, or tell the operator.',
        cause,
      });
    default:
      return new HelveError('tool_failed', `The operating system answered ${code} for ${name}`, { cause });
  }
}

const maxShown = 200;

export function quoted(path: string): string {
  return JSON.stringify(path.length > maxShown ? `${path.slice(0, maxShown)}…` : path);
}
