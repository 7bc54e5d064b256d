/**
 * Large npm packages that few installations need. They are not installed with Helve: an operator adds a set of them to
 * the data folder (`helve toolkits add documents`), or installs them beside Helve. A worker finds the former through
 * `NODE_PATH`.
 */
import { readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { HelveError } from '../domain/errors.js';

const require = createRequire(import.meta.url);

export interface PackageSet {
  /** What cannot be done without it. */
  readonly purpose: string;
  /** Below `<data folder>/packages`; sets that share packages share it. */
  readonly folder: string;
  /** Names and the versions that Helve was tested with. */
  readonly packages: Readonly<Record<string, string>>;
  /**
   * Whether optional dependencies are installed too. Those of the document readers are for drawing, which nothing here
   * does.
   */
  readonly optional: boolean;
  /** Megabytes on the disk, roughly. */
  readonly megabytes: number;
}

const readers = { exceljs: '4.4.0', 'pdfjs-dist': '5.4.624' };

export const packageSets = {
  documents: {
    purpose: 'making PDF, Word, Excel and PowerPoint files',
    folder: 'readers',
    packages: { ...readers, docx: '9.15.2', pdfkit: '0.20.2', pptxgenjs: '4.0.1' },
    optional: false,
    megabytes: 150,
  },
  knowledge: {
    purpose: 'reading PDF, Word and Excel files and program code',
    folder: 'readers',
    packages: { ...readers, mammoth: '1.13.0', 'web-tree-sitter': '0.27.1', '@vscode/tree-sitter-wasm': '0.3.1' },
    optional: false,
    megabytes: 130,
  },
  code: {
    purpose: 'checking the programs of agents',
    folder: 'code',
    packages: { typescript: '7.0.2' },
    // The compiler itself is in the optional package of each platform.
    optional: true,
    megabytes: 31,
  },
} as const satisfies Readonly<Record<string, PackageSet>>;

export type PackageSetName = keyof typeof packageSets;

export const packageSetNames = Object.keys(packageSets) as readonly PackageSetName[];

/** The folder to which npm installs a set. */
export const packagesFolder = (dataDir: string, set: PackageSetName): string =>
  join(dataDir, 'packages', packageSets[set].folder);

/**
 * The folder of a package, without links. Looks where Node would look for Helve's own imports, then in the `node_modules` of
 * the data folder, and passes over a version that another program needs there. Undefined if it is not installed.
 */
export function findPackage(name: string, set: PackageSetName, dataDir?: string): string | undefined {
  const packages: Readonly<Record<string, string>> = packageSets[set].packages;
  const added = dataDir === undefined ? [] : [join(packagesFolder(dataDir, set), 'node_modules')];
  const folders = [...(require.resolve.paths(name) ?? []), ...added].map((place) => join(place, name));
  const found = folders.find((folder) => fits(readVersion(folder), packages[name]));
  return found === undefined ? undefined : realpathSync(found);
}

/** The names of the packages of the set that are not installed. */
export function missingPackages(set: PackageSetName, dataDir?: string): readonly string[] {
  return Object.keys(packageSets[set].packages).filter((name) => findPackage(name, set, dataDir) === undefined);
}

/** The `node_modules` folders, without links, that have the packages of the set. */
export function packagePlaces(set: PackageSetName, dataDir?: string): readonly string[] {
  const found = Object.keys(packageSets[set].packages).flatMap((name) => {
    const folder = findPackage(name, set, dataDir);
    return folder === undefined ? [] : [placeOf(name, folder)];
  });
  return [...new Set(found)];
}

/** For a worker: the CommonJS form of a package. Throws `invalid_config` if it is not installed. */
export function requirePackage<Module>(name: string, set: PackageSetName): Module {
  const place = placeOf(name, packageFolder(name, set));
  return createRequire(join(place, 'helve.js'))(name) as Module;
}

/** For a worker: the folder of a package. Throws `invalid_config` if it is not installed. */
export function packageFolder(name: string, set: PackageSetName): string {
  const found = findPackage(name, set);
  if (found !== undefined) return found;
  throw new HelveError(
    'invalid_config',
    `The package ${name}, which is needed for ${packageSets[set].purpose}, is not installed`,
    { hint: addHint(set) },
  );
}

/** What an operator who wants the set can do. */
export const addHint = (set: PackageSetName): string =>
  `The operator can add it on the machine of the server: helve toolkits add ${set} (about ${packageSets[set].megabytes} MB).`;

/** The folder above a package; above the folder of its scope if it has one. */
const placeOf = (name: string, folder: string): string =>
  name.startsWith('@') ? dirname(dirname(folder)) : dirname(folder);

function readVersion(folder: string): string | undefined {
  try {
    return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version?: string }).version;
  } catch {
    return undefined;
  }
}

/** Whether a version can replace the wanted one: their first numbers that are not zero are equal. */
function fits(version: string | undefined, wanted: string | undefined): boolean {
  const main = (text: string | undefined) => /^(?:0\.)*\d+/.exec(text ?? '')?.[0];
  return version !== undefined && main(version) === main(wanted);
}
