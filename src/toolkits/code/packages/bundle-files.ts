/**
 * Bundles the files of a package and of its imports into one module. Runs in a worker; no code of the package runs
 * here.
 */
import { readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { HelveError } from '../../../domain/errors.js';
import { remembered } from '../../../util/remembered.js';
import { createResolver } from './resolve-import.js';
import { type PackedPackage, unpackAll } from './unpack.js';

export interface BundleRequest {
  /** Folder of the bundler, `esbuild-wasm`. */
  readonly bundler: string;
  /** The package that programs import. */
  readonly name: string;
  /** The package itself, and every other package that it may import. */
  readonly packages: readonly PackedPackage[];
  /**
   * The names that the module exports besides `default`. Absent: it exports its whole namespace as `all`, from which the
   * names can be read.
   */
  readonly names?: readonly string[];
}

/** The part of the bundler that is used; this form of it has no types. */
interface Bundler {
  initialize(options: { readonly wasmModule: object; readonly worker: boolean }): Promise<void>;
  build(options: object): Promise<{ readonly outputFiles: readonly { readonly text: string }[] }>;
}
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<object> };

/**
 * Starts the build of the bundler for browsers, because it runs in this process and the one for Node would start
 * another. It can be started only once in a process.
 */
async function startBundler(folder: string): Promise<Bundler> {
  Reflect.set(globalThis, 'self', globalThis);
  const made = (await import(pathToFileURL(join(folder, 'esm/browser.js')).href)) as Bundler;
  const wasmModule = await WebAssembly.compile(await readFile(join(folder, 'esbuild.wasm')));
  await made.initialize({ wasmModule, worker: false });
  return made;
}

const startedBundler = remembered(1, startBundler);

interface ResolveArguments {
  readonly path: string;
  readonly importer: string;
  readonly resolveDir: string;
  readonly kind: string;
}

/** Returns the source of one ECMAScript module without imports. Throws `invalid_input` with what the package needs. */
export async function bundleFiles({ bundler, name, packages, names }: BundleRequest): Promise<string> {
  const files = unpackAll(packages);
  const resolve = createResolver(files);
  const plugin = {
    name: 'packages',
    setup(build: Hooks) {
      build.onResolve({ filter: /.*/ }, ({ path, importer, resolveDir, kind }) => {
        const found = resolve(path, resolveDir, kind.startsWith('require') ? 'require' : 'import');
        if (found === undefined) return { errors: [{ text: explainMissing(path, importer) }] };
        return found === false ? { path, namespace: 'empty' } : { path: found, namespace: 'package' };
      });
      build.onLoad({ filter: /.*/, namespace: 'empty' }, () => ({ contents: 'module.exports = {}', loader: 'js' }));
      build.onLoad({ filter: /.*/, namespace: 'package' }, ({ path }) => ({
        contents: files.get(path),
        loader: path.endsWith('.json') ? 'json' : 'js',
        resolveDir: path.slice(0, path.lastIndexOf('/')),
      }));
    },
  };
  try {
    const { outputFiles } = await (await startedBundler(bundler)).build({
      stdin: { contents: writeEntry(name, names), loader: 'js', resolveDir: '/', sourcefile: 'entry.js' },
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'neutral',
      target: 'es2022',
      legalComments: 'inline',
      logLevel: 'silent',
      define: { 'process.env.NODE_ENV': '"production"', global: 'globalThis' },
      plugins: [plugin],
    });
    return outputFiles[0]?.text ?? '';
  } catch (error) {
    const [first] = (error as { readonly errors?: readonly { readonly text: string }[] }).errors ?? [];
    if (!first) throw error;
    throw new HelveError('invalid_input', `${name} cannot be used in the sandbox: ${first.text}`, {
      hint: 'Use another package, or one of its other versions.',
      cause: error,
    });
  }
}

interface Hooks {
  onResolve(options: object, work: (found: ResolveArguments) => object): void;
  onLoad(options: object, work: (found: { readonly path: string }) => object): void;
}

function writeEntry(name: string, names: readonly string[] | undefined): string {
  const start = `import * as all from ${JSON.stringify(name)};`;
  if (names === undefined) return `${start} export { all };`;
  const locals = names.map((exported, index) => `const export${index} = all[${JSON.stringify(exported)}];`);
  const list = names.map((exported, index) => `export${index} as ${exported}`).join(', ');
  return `${start} ${locals.join(' ')} export { ${list} }; export default 'default' in all ? all.default : all;`;
}

function explainMissing(specifier: string, importer: string): string {
  const from = importer.replace(/^\/node_modules\//, '');
  if (isBuiltin(specifier))
    return `${from} imports "${specifier.slice(0, 100)}" of Node, which the sandbox does not have`;
  return `${from} imports "${specifier.slice(0, 100)}", which it does not contain and toolkits.code.packages does not allow`;
}
