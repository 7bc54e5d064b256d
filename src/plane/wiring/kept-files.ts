/**
 * The files that Helve and its configuration use: writing one of them decides what the next start runs, or whose key is
 * used. No file or command tool reaches them, even if a grant covers their folder.
 */
import { statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ConfigFile, environmentFiles } from '../../config/index.js';
import type { ToolkitDefinition } from '../../domain/tool.js';
import { sqliteFiles } from '../../util/sqlite-files.js';
import { getConfigFile, getLocation, type Places } from './places.js';

export interface KeptFiles {
  /** Reachable by neither file nor command tools. */
  readonly secret: readonly string[];
  /** Not reachable by file tools; a command may read them, and can change nothing outside its own folder. */
  readonly plain: readonly string[];
}

/** Returns absolute paths, including those that do not exist yet. */
export function keptFiles(places: Places, config: ConfigFile, toolkits: readonly ToolkitDefinition[]): KeptFiles {
  const configFile = getConfigFile(places);
  const fromConfig = (path: string): string => resolve(configFile === undefined ? '.' : dirname(configFile), path);
  const settings = toolkits.flatMap(({ slug, settingsFiles }) =>
    settingsFiles && Object.hasOwn(config.toolkits, slug) ? [settingsFiles(config.toolkits[slug] ?? {})] : [],
  );
  const documents = Object.values(config.openapi).flatMap(({ document }) =>
    /^https?:/i.test(document) ? [] : [fromConfig(document)],
  );
  const directory = config.openapiDirectory.path;
  const own = [places.dataDir, configFile].filter((path) => path !== undefined);
  const secret = [
    ...own,
    ...storeFiles(places),
    ...settings.flatMap(({ secret = [] }) => secret),
    ...environmentFiles(),
  ];
  const plain = [
    ...settings.flatMap(({ plain = [] }) => plain),
    ...documents,
    ...(directory === undefined ? [] : [fromConfig(directory)]),
    ...programFiles(config),
    ...ownCode(fileURLToPath(import.meta.url)),
  ];
  return { secret: secret.map((path) => resolve(path)), plain: plain.map((path) => resolve(path)) };
}

function storeFiles(places: Places): string[] {
  const location = getLocation(places);
  // Anything that is not a URL is opened as a file with that name, even if it contains a colon.
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(location) ? [] : sqliteFiles(location);
}

/**
 * Programs and scripts in a server's command line, which run with this user's rights. A folder is data that a server
 * works on.
 */
function programFiles({ mcpServers }: ConfigFile): string[] {
  return Object.values(mcpServers).flatMap((server) => {
    if (!('command' in server)) return [];
    const { command, args, cwd = '.' } = server;
    return [...(command.includes('/') ? [command] : []), ...args]
      .map((word) => resolve(cwd, word.replace(/^--?[\w-]+=/, '')))
      .filter(isFile);
  });
}

/** An argument may be anything: a whole script, or something that cannot be a path. */
function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  } catch {
    return false;
  }
}

/** Helve's own program and its dependencies. `file`: the path of this module. */
export function ownCode(file: string): string[] {
  const root = resolve(dirname(file), '../../..');
  const installed = /^(.*?\/node_modules)\//.exec(root)?.[1];
  if (installed !== undefined) return [installed];
  return ['bin', 'dist', 'src', 'node_modules', 'package.json'].map((name) => join(root, name));
}
