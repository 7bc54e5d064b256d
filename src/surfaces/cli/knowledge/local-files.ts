/** Which local files are meant, and under which names they become sources. */
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

/** Folders with all below them, less what programs keep for themselves and what is only the caption of an image. */
export async function findFiles(paths: readonly string[], prefix: string): Promise<LocalFile[]> {
  const found: LocalFile[] = [];
  for (const path of paths) {
    const top = resolve(path);
    const facts = await stat(top).catch(() => undefined);
    if (!facts)
      throw new HelveError('not_found', `There is no file or folder ${path}`, { hint: 'Look at its spelling.' });
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

/** Of `image.png`: what stands in `image.png.caption` or `image.png.txt`. */
export async function captionOf(file: string): Promise<string | undefined> {
  if (!image.test(basename(file))) return undefined;
  for (const sidecar of [`${file}.caption`, `${file}.txt`]) {
    const text = await readFile(sidecar, 'utf8').catch(() => '');
    if (text.trim() !== '') return text.trim().slice(0, 4_000);
  }
  return undefined;
}
