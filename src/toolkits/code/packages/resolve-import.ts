/**
 * Finds the file that an import inside a package refers to, by the rules of Node and of bundlers for browsers. Runs in
 * a worker.
 */
import enhanced from 'enhanced-resolve';
import type { Files } from './unpack.js';

/**
 * Returns the path of a file; false if the package replaces it by nothing in browsers; undefined if there is no such
 * file.
 */
export type ResolveImport = (specifier: string, from: string, kind: 'import' | 'require') => string | false | undefined;

export function createResolver(files: Files): ResolveImport {
  const shared = {
    fileSystem: readOnlyFileSystem(files),
    useSyncFileSystemCalls: true,
    extensions: ['.js', '.mjs', '.cjs', '.json'],
    aliasFields: ['browser'],
    symlinks: false,
  };
  const conditionsOf = (kind: string): string[] => [kind, 'browser', 'production', 'default'];
  const resolvers = {
    import: enhanced.ResolverFactory.createResolver({
      ...shared,
      conditionNames: [...conditionsOf('import'), 'module'],
      mainFields: ['browser', 'module', 'main'],
    }),
    require: enhanced.ResolverFactory.createResolver({
      ...shared,
      conditionNames: conditionsOf('require'),
      mainFields: ['browser', 'main'],
    }),
  };
  return (specifier, from, kind) => {
    try {
      return resolvers[kind].resolveSync({}, from, specifier);
    } catch {
      return undefined;
    }
  };
}

type Answer = (error: Error | null, result?: unknown) => void;

type ReadOnly = Parameters<typeof enhanced.ResolverFactory.createResolver>[0]['fileSystem'];

function readOnlyFileSystem(files: Files): ReadOnly {
  const folders = new Set(['/']);
  for (const path of files.keys())
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) folders.add(path.slice(0, at));
  const missing = (path: string): Error => Object.assign(new Error(`No file ${path}`), { code: 'ENOENT' });
  const read = (path: string): Buffer => {
    const bytes = files.get(path);
    if (bytes === undefined) throw missing(path);
    return Buffer.from(bytes);
  };
  const stat = (path: string) => {
    const isFile = files.has(path);
    if (!isFile && !folders.has(path)) throw missing(path);
    return { isFile: () => isFile, isDirectory: () => !isFile, isSymbolicLink: () => false };
  };
  const refuse = (path: string): never => {
    throw missing(path);
  };
  const sync = { statSync: stat, lstatSync: stat, readFileSync: read, readlinkSync: refuse, readdirSync: refuse };
  const answering =
    (work: (path: string) => unknown) =>
    (path: string, ...more: unknown[]): void => {
      const answer = more.at(-1) as Answer;
      let result: unknown;
      try {
        result = work(path);
      } catch (error) {
        answer(error as Error);
        return;
      }
      answer(null, result);
    };
  return {
    ...sync,
    stat: answering(stat),
    lstat: answering(stat),
    readFile: answering(read),
    readlink: answering(refuse),
    readdir: answering(refuse),
  } as unknown as ReadOnly;
}
