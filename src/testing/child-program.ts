/**
 * For tests: a program of a child process that uses the sources. It is joined into one file, and its types removed: plain Node cannot
 * run them, and reading hundreds of files takes longer than most programs run.
 */
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const sources = fileURLToPath(new URL('..', import.meta.url));
const main = join(sources, 'main.js');
/** Its many files are joined too, as in a build. */
const joinedPackage = 'kysely';

export interface ChildProgram {
  /** The folder that holds `main.js`; made when it is first asked for. */
  folder(): Promise<string>;
  remove(): Promise<void>;
}

/** `program`: its text, which imports as if it were in `src/`. */
export function compileProgram(program: string): ChildProgram {
  let made: Promise<string> | undefined;
  return {
    folder() {
      made ??= compile(program);
      return made;
    },
    async remove() {
      if (made !== undefined) await rm(await made, { recursive: true, force: true });
    },
  };
}

async function compile(program: string): Promise<string> {
  const target = await mkdtemp(join(tmpdir(), 'helve-child-'));
  await symlink(join(sources, '..', 'node_modules'), join(target, 'node_modules'));
  await writeFile(join(target, 'package.json'), '{"type":"module"}');
  const bundle = await rolldown({
    input: { main },
    platform: 'node',
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
    external: (id) => !/^[./]/.test(id) && id !== joinedPackage,
    plugins: [
      {
        name: 'program',
        resolveId: (id) => (id === main ? id : undefined),
        load: (id) => (id === main ? program : undefined),
      },
    ],
  });
  await bundle.write({ dir: target });
  await bundle.close();
  return target;
}
