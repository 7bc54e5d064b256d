/** The locations of an installation: its store, its configuration file, its own address. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type ConfigFile, readConfigFile, readConfigText } from '../../config/index.js';
import { HelveError } from '../../domain/errors.js';

export interface Places {
  readonly dataDir?: string;
  readonly database?: string;
  readonly configFile?: string;
  readonly config?: string;
  readonly publicUrl?: string | (() => string | undefined);
}

/**
 * Reads `helve.yaml`, or the text in the options; without either, an empty configuration. The data folder need not have the
 * file, but a file that was named must exist. Throws `invalid_config`.
 */
export async function loadConfig(places: Places): Promise<ConfigFile> {
  if (places.config !== undefined) return readConfigText(places.config, 'helve.yaml');
  if (places.configFile !== undefined && !existsSync(places.configFile))
    throw new HelveError('invalid_config', `There is no configuration file ${places.configFile}`, {
      hint: 'Name a file that exists, or none: Helve then reads helve.yaml in the data folder, if it exists.',
    });
  const path = getConfigFile(places);
  return path === undefined ? readConfigText('', 'helve.yaml') : readConfigFile(path);
}

/** Returns the path of `helve.yaml`; undefined in memory. */
export function getConfigFile({ configFile, dataDir }: Places): string | undefined {
  return configFile ?? (dataDir === undefined ? undefined : join(dataDir, 'helve.yaml'));
}

/** Returns the location of the store: a URL, a file path, or `:memory:`. */
export function getLocation({ database, dataDir }: Places): string {
  return database ?? (dataDir === undefined ? ':memory:' : join(dataDir, 'helve.db'));
}

/** Returns what finds the page on which a person connects an account of an app; undefined while its address is unknown. */
export function connectUrl(places: Places): (app: string) => string | undefined {
  return (app) => link(places, `/panel/connections/connect/${encodeURIComponent(app)}`);
}

/** Returns the address of a page of this server, as people reach it; undefined while that is unknown. */
export function link({ publicUrl }: Places, path: string): string | undefined {
  const base = typeof publicUrl === 'function' ? publicUrl() : publicUrl;
  return base === undefined ? undefined : new URL(path, base).href;
}
