/** Finds the local files to ingest, and their source names. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { HelveError } from '../../../domain/errors.js';

export interface LocalFile {
  readonly file: string;
  /** The name of the source. */
  readonly source: string;
}

const image = /\.(?:png|jpe?g|gif|webp|bmp|tiff?|avif|svg)$/i;
const leftOut = /^(?:\..*|node_modules|__pycache__)$/;

/** Lists folders with everything below them, except files that programs keep for themselves and captions of images. */
export async function findFiles(paths: readonly string[], prefix: string): Promise<LocalFile[]> {
  const found: LocalFile[] = [];
  for (const path of paths) {
    const top = resolve(path);
    const facts = await stat(top).catch(() => undefined);
    if (!facts)
      throw new HelveError('not_found', `The file or folder ${path} does not exist`, { hint: 'Check the spelling.' });
    const files = facts.isDirectory() ? await below(top) : [top];
    const named = files.map((file) => ({
      file,
      source: prefix + relative(dirname(top), file).split(sep).join('/'),
    }));
    found.push(...named);
  }
  return found;
}

async function below(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = new Set(entries.map(({ name }) => name));
  const isCaption = (name: string): boolean => {
    const [, of = ''] = /^(.*)\.(?:caption|txt)$/.exec(name) ?? [];
    return image.test(of) && names.has(of);
  };
  const files: string[] = [];
  for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    if (leftOut.test(entry.name) || isCaption(entry.name)) continue;
    if (entry.isDirectory()) files.push(...(await below(join(folder, entry.name))));
    else if (entry.isFile()) files.push(join(folder, entry.name));
  }
  return files;
}

/** Reads the caption of `image.png` from `image.png.caption` or `image.png.txt`. */
export async function getCaption(file: string): Promise<string | undefined> {
  if (!image.test(basename(file))) return undefined;
  for (const sidecar of [`${file}.caption`, `${file}.txt`]) {
    const text = await readFile(sidecar, 'utf8').catch(() => '');
    if (text.trim() !== '') return text.trim().slice(0, 4_000);
  }
  return undefined;
}
