/** Installs a set of packages into a data folder: `helve toolkits add documents`. */
import { mkdir } from 'node:fs/promises';
import { HelveError } from '../../domain/errors.js';
import { missingPackages, type PackageSetName, packageSets, packagesFolder } from '../../util/packages.js';
import { installPackages, type NpmOptions } from '../../util/run-npm.js';

/**
 * Installs what is missing of the set. Returns the names of the packages that were installed, none if all were there. Throws
 * `invalid_config` if npm is missing or left one out, `upstream_failed` if npm failed.
 */
export async function addPackages(
  dataDir: string,
  set: PackageSetName,
  options: NpmOptions,
): Promise<readonly string[]> {
  const missing = missingPackages(set, dataDir);
  if (missing.length === 0) return [];
  const {
    packages,
    optional,
    megabytes,
  }: { packages: Readonly<Record<string, string>>; optional: boolean; megabytes: number } = packageSets[set];
  // All of the set, not only what is missing: npm removes nothing that its folder already has.
  const wanted = Object.entries(packages).map(([name, version]) => `${name}@${version}`);
  options.onProgress?.(`Installing ${missing.join(', ')} with npm (up to ${megabytes} MB)`);
  // The folder of all that Helve keeps is for its own user alone, whoever makes it.
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const folder = packagesFolder(dataDir, set);
  const byHand = `Or install beside Helve: npm install ${wanted.join(' ')}`;
  await installPackages({ folder, packages: wanted, what: set, byHand, omitOptional: !optional }, options);
  const left = missingPackages(set, dataDir);
  if (left.length > 0)
    throw new HelveError('invalid_config', `npm did not install ${left.join(', ')}`, {
      hint: `Check npm's own configuration. ${byHand}`,
    });
  return missing;
}
