/**
 * For tests: a program of a child process that uses the sources. The types are removed from them into a temporary folder,
 * because plain Node cannot run them.
 */
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from '@swc/core';

const sources = fileURLToPath(new URL('..', import.meta.url));

export interface ChildProgram {
  /** The folder that holds `main.js`; made when it is first asked for. */
  folder(): Promise<string>;
  remove(): Promise<void>;
}

/** What a program needs that opens a store and writes to the record. */
export const storeFolders = ['domain', 'util', 'schema', 'audit', 'storage'] as const;

/** `folders`: those under `src/`, or single files, that the program imports. */
export function compileProgram(options: {
  readonly folders: readonly string[];
  readonly program: string;
}): ChildProgram {
  let made: Promise<string> | undefined;
  return {
    folder() {
      made ??= compile(options);
      return made;
    },
    async remove() {
      if (made !== undefined) await rm(await made, { recursive: true, force: true });
    },
  };
}

async function compile({ folders, program }: Parameters<typeof compileProgram>[0]): Promise<string> {
  const target = await mkdtemp(join(tmpdir(), 'helve-child-'));
  await symlink(join(sources, '..', 'node_modules'), join(target, 'node_modules'));
  await writeFile(join(target, 'package.json'), '{"type":"module"}');
  await writeFile(join(target, 'main.js'), program);
  for (const folder of folders) {
    for (const file of await listFiles(folder)) {
      const out = join(target, file.replace(/\.ts$/, '.js'));
      await mkdir(dirname(out), { recursive: true });
      const source = await readFile(join(sources, file), 'utf8');
      const options = { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'es6' } } as const;
      await writeFile(out, (await transform(source, options)).code);
    }
  }
  return target;
}

async function listFiles(folder: string): Promise<string[]> {
  if ((await stat(join(sources, folder))).isFile()) return [folder];
  const files = await readdir(join(sources, folder), { recursive: true });
  return files.filter((file) => /\.ts$/.test(file) && !/\.test\.ts$/.test(file)).map((file) => join(folder, file));
}
