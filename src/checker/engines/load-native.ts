/** TypeScript 7: the one beside Helve, or the one that the operator has added to the data folder. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findPackage } from '../../util/packages.js';

export interface NativeCompiler {
  readonly api: typeof import('typescript/unstable/sync');
  readonly ast: typeof import('typescript/unstable/ast');
  /** The folder of its libraries, with a slash at the end. */
  readonly libraries: string;
}

/** Throws where it is not installed, is another version, or has nothing for this platform. */
export async function loadCompiler(dataDir: string | undefined): Promise<NativeCompiler> {
  const folder = findPackage('typescript', 'code', dataDir);
  if (folder === undefined) throw new Error('TypeScript is not installed');
  // What is required by its own name from inside is itself.
  const require = createRequire(join(folder, 'package.json'));
  const load = (name: string) => import(pathToFileURL(require.resolve(name)).href);
  const platform = require.resolve(`@typescript/typescript-${process.platform}-${process.arch}/package.json`);
  return {
    api: await load('typescript/unstable/sync'),
    ast: await load('typescript/unstable/ast'),
    libraries: `${join(dirname(platform), 'lib').replaceAll('\\', '/')}/`,
  };
}
