/** Failures of file access, each as an error that a model can act on. */
import { type ErrorCode, HelveError } from '../../domain/errors.js';
import { defined } from '../../util/defined.js';

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

export const isMissing = (thrown: unknown): boolean => getCode(thrown) === 'ENOENT';

export function getCode(thrown: unknown): string | undefined {
  return thrown instanceof Error ? (thrown as NodeJS.ErrnoException).code : undefined;
}

/** Translates an error of the system: the original would name our descriptors. Any other error is a bug. */
export function asFileError(thrown: unknown, path: string): unknown {
  const code = getCode(thrown) ?? '';
  if (!/^E[A-Z0-9]+$/.test(code)) return thrown;
  const translate = (Object.hasOwn(translations, code) ? translations[code] : undefined) ?? unknown;
  return translate({ code, path, cause: thrown });
}

interface Failure {
  readonly code: string;
  readonly path: string;
  readonly cause: unknown;
}

const failing =
  (error: ErrorCode, problem: (name: string, code: string) => string, hint?: string) =>
  ({ code, path, cause }: Failure): HelveError =>
    new HelveError(error, problem(quoted(path), code), { ...defined({ hint }), cause });

const missing = ({ path }: Failure) => notFound(path);
const denied = failing('forbidden', (name) => `The operating system does not allow Helve to do that with ${name}`);
const inTheWay = failing('conflict', (name, code) => `${name} is in the way or in use (${code})`);
const noRoom = failing(
  'tool_failed',
  (name) => `There is no room left on the disk for ${name}`,
  'Delete what is no longer needed, or tell the operator.',
);

const translations: Readonly<Record<string, (failure: Failure) => HelveError>> = {
  ENOENT: missing,
  ENOTDIR: missing,
  ENAMETOOLONG: ({ path }) =>
    invalidPath(`${quoted(path)} is too long for the file system`, 'A name has at most 255 bytes, a path 4095.'),
  EINVAL: ({ path }) => invalidPath(`${quoted(path)} is not a possible name here`),
  ELOOP: failing('forbidden', (name) => `${name} is a link that may not be followed`),
  EACCES: denied,
  EPERM: denied,
  EROFS: failing('forbidden', (name) => `${name} is on a read-only file system`),
  EISDIR: ({ path }) => isFolder(path),
  EEXIST: inTheWay,
  ENOTEMPTY: inTheWay,
  EBUSY: inTheWay,
  ETXTBSY: inTheWay,
  EXDEV: ({ path }) =>
    wrongKind(path, 'on another disk than its destination', 'Read it, write it there, then delete it here.'),
  EFBIG: failing('too_large', (name) => `${name} would be too large for the file system`),
  ENOSPC: noRoom,
  EDQUOT: noRoom,
};

const unknown = failing('tool_failed', (name, code) => `The operating system answered ${code} for ${name}`);

const maxShown = 200;

export function quoted(path: string): string {
  return JSON.stringify(path.length > maxShown ? `${path.slice(0, maxShown)}…` : path);
}
