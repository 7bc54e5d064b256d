/**
 * The files that Helve and its configuration use: whoever writes one of them decides what the next start runs, or whose
 * key is used. No file or command tool reaches them, also where a grant covers the folder they are in.
 */
import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ConfigFile, environmentFiles } from '../../config/index.js';
import type { ToolkitDefinition } from '../../domain/tool.js';
import { sqliteFiles } from '../../util/sqlite-files.js';
import { configFileOf, locationOf, type Places } from './places.js';

export interface KeptFiles {
  /** Neither file nor command tools. */
  readonly secret: readonly string[];
  /** No file tools: a command may read these, and can change nothing outside its own folder. */
  readonly plain: readonly string[];
}

/** Absolute paths. Those that do not exist yet are among them. */
export function keptFiles(places: Places, config: ConfigFile, toolkits: readonly ToolkitDefinition[]): KeptFiles {
  const configFile = configFileOf(places);
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
    ...ownCode(),
  ];
  return { secret: secret.map((path) => resolve(path)), plain: plain.map((path) => resolve(path)) };
}

function storeFiles(places: Places): string[] {
  const location = locationOf(places);
  // What is no URL the store opens as a file of that name, also with a colon in it.
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(location) ? [] : sqliteFiles(location);
}

/** What a server's command line names: programs and scripts, with this user's rights. A folder is what a server works on. */
function programFiles({ mcpServers }: ConfigFile): string[] {
  return Object.values(mcpServers).flatMap((server) => {
    if (!('command' in server)) return [];
    const { command, args, cwd = '.' } = server;
    return [...(command.includes('/') ? [command] : []), ...args]
      .map((word) => resolve(cwd, word.replace(/^--?[\w-]+=/, '')))
      .filter(isFile);
  });
}

/** An argument may be anything: a whole script, or what no path can be. */
function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  } catch {
    return false;
  }
}

/** Helve's own program, with what it is built on. */
function ownCode(): string[] {
  const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
  const installed = /^(.*?\/node_modules)\//.exec(root)?.[1];
  if (installed !== undefined) return [installed];
  return ['bin', 'dist', 'src', 'node_modules', 'package.json']
    .map((name) => join(root, name))
    .filter((path) => existsSync(path));
}
