/**
 * Joins Helve's modules into the files of dist/bundle, because reading a thousand small files takes longer than running
 * them. The entries are those of package.json's `exports` and the command line. What several entries use is in a file
 * that they share, so each class and the state of each module exists once. Packages stay outside. Workers are processes
 * and threads of their own: they load the single modules of dist/.
 */
import { readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');
const folder = join(dist, 'bundle');
/** Packages that a start reads many files of. They must be internal to Helve, since their classes then exist twice in an installation. */
export const joinedPackages = ['kysely'];

/** Writes dist/bundle from the modules of dist/, which must be compiled. Needs the tools that build the panel. */
export async function buildBundle() {
  const tools = createRequire(join(root, 'panel', 'package.json'));
  const { rolldown } = await import(pathToFileURL(tools.resolve('rolldown')).href);
  const bundle = await rolldown({
    input: listEntries(),
    platform: 'node',
    external: (id) => !id.startsWith('.') && !id.startsWith('/') && !joinedPackages.includes(id),
    plugins: [{ name: 'keep-addresses', transform: keepAddress }],
  });
  rmSync(folder, { recursive: true, force: true });
  await bundle.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    comments: { legal: true, annotation: false, jsdoc: false },
  });
  await bundle.close();
}

/** The module that each file of `exports` is made from, by the name of the file. Its types are next to the module. */
function listEntries() {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const entries = { 'command-line': join(dist, 'surfaces/cli/main.js') };
  for (const { types, default: file } of Object.values(exports).filter((target) => target.types))
    entries[relative('dist/bundle', file).replace(/\.js$/, '')] = join(root, types.replace(/\.d\.ts$/, '.js'));
  return entries;
}

/** A module finds the files next to it by its own address, not by that of the file which it becomes part of. */
function keepAddress(code, id) {
  if (!id.startsWith(dist) || !code.includes('import.meta.url')) return null;
  const address = `new URL(${JSON.stringify(relative(folder, id))}, import.meta.url).href`;
  return code.replaceAll('import.meta.url', address);
}
