/**
 * Checks what a request and its limits name: folders to expose, where to start, files to create. Everything is checked
 * before anything starts, so that bubblewrap never gets an unusual argument.
 */
import { realpathSync, statSync } from 'node:fs';
import { posix } from 'node:path';
import { HelveError } from '../../domain/errors.js';
import type { CommandRequest } from '../../domain/reach.js';
import { visibleFolders, workFolder } from '../../util/sandbox/sandbox-view.js';

/** Never exposed, in whole or in part: users, hosts, devices, the kernel, and the sockets of services. */
const keptFolders = ['/etc', '/proc', '/sys', '/dev', '/run', '/var/run', '/boot', workFolder];
const maxFiles = 64;

export function isWithin(path: string, folder: string): boolean {
  return path === folder || folder === '/' || path.startsWith(`${folder}/`);
}

/** Returns the folders to expose at their own path, without those that are visible anyway. Throws `invalid_config`. */
export function checkReadPaths(paths: readonly string[], hidden: readonly string[]): string[] {
  return paths.map((path) => checkReadPath(path, hidden)).filter((path) => !seenAnyway(path));
}

function checkReadPath(given: string, hidden: readonly string[]): string {
  const path = posix.normalize(given).replace(/(.)\/+$/, '$1');
  if (!path.startsWith('/') || path.includes('\0')) throw badPath(given, 'is not an absolute path');
  const real = resolveReal(path);
  if (real === undefined) throw badPath(given, 'is not a file or folder of this machine');
  for (const place of [path, real]) {
    const kept = keptFolders.find((folder) => isWithin(place, folder) || isWithin(folder, place));
    if (kept !== undefined) throw badPath(given, `would expose ${kept}, which commands must not see`);
    const own = hidden.find((folder) => overlaps(place, folder) || overlaps(place, resolveReal(folder) ?? folder));
    if (own !== undefined) throw badPath(given, `would expose ${own}, which Helve or its configuration uses`);
  }
  return path;
}

/** Returns an absolute path inside. Throws `forbidden` for a path elsewhere. */
export function checkCwd(cwd: string | undefined, readPaths: readonly string[]): string {
  if (cwd?.includes('\0')) throw new HelveError('invalid_input', 'cwd contains a NUL character');
  const path = posix.resolve(workFolder, cwd ?? '.');
  if (isWithin(path, workFolder)) return path;
  if (!readPaths.some((folder) => isWithin(path, folder))) {
    throw new HelveError('forbidden', `cwd ${JSON.stringify(cwd)} is outside the work folder`, {
      hint: ['Omit it, or name a folder below the work folder', ...readPaths].join(' or in '),
    });
  }
  return path;
}

/** Returns the files by normalised relative path. Throws `invalid_input` or `too_large`. */
export function checkFiles(files: CommandRequest['files'], diskMb: number): Record<string, Uint8Array> {
  const entries = Object.entries(files ?? {}).map(([name, bytes]) => [checkFileName(name), bytes] as const);
  if (entries.length > maxFiles) throw new HelveError('too_large', `files contains more than ${maxFiles} files`);
  const size = entries.reduce((sum, [, bytes]) => sum + bytes.length, 0);
  if (size > diskMb * 1_048_576) {
    throw new HelveError('too_large', `files contains ${size} bytes; the work folder has room for ${diskMb} megabytes`);
  }
  for (const [path] of entries) {
    if (entries.filter(([other]) => isWithin(other, path)).length > 1) {
      throw new HelveError('invalid_input', `files names ${JSON.stringify(path)} twice, or as a file and as a folder`);
    }
  }
  return Object.fromEntries(entries);
}

function checkFileName(name: string): string {
  const path = posix.normalize(name);
  const parts = path.split('/');
  const odd = path === '.' || path.endsWith('/') || path.startsWith('/') || parts.includes('..') || path.includes('\0');
  if (odd || path.length > 1_000 || parts.some((part) => Buffer.byteLength(part) > 255)) {
    throw new HelveError(
      'invalid_input',
      `files names ${JSON.stringify(name)}, which is not a path below the work folder`,
      {
        hint: 'Use relative paths such as data/input.csv.',
      },
    );
  }
  return path;
}

function overlaps(one: string, other: string): boolean {
  return isWithin(one, other) || isWithin(other, one);
}

function seenAnyway(path: string): boolean {
  return visibleFolders.some((folder) => isWithin(path, folder));
}

function resolveReal(path: string): string | undefined {
  try {
    const real = realpathSync(path);
    const facts = statSync(real);
    return facts.isDirectory() || facts.isFile() ? real : undefined;
  } catch {
    return undefined;
  }
}

function badPath(path: string, why: string): HelveError {
  return new HelveError('invalid_config', `The read path ${JSON.stringify(path)} ${why}`, {
    hint: 'Ask the operator to correct `read_paths` in the tool_config of run_command.',
  });
}
