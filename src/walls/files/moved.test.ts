/**
 * Changes by another process at the worst moment, triggered at exactly that moment: the folder that was checked is
 * moved outside before it is used, and what was just created is replaced.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import {
  appendFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { FileAccess } from '../../domain/reach.js';
import { openFiles } from './index.js';

/** Each runs once: after the real location of this folder was read, and after a folder was created. */
const then = vi.hoisted(() => ({
  placed: undefined as { readonly real: string; readonly act: () => Promise<void> } | undefined,
  made: undefined as ((real: string) => Promise<void>) | undefined,
  /** Instead of the renaming, and after anything was opened. */
  renaming: undefined as ((to: string) => Promise<void>) | undefined,
  opened: undefined as (() => Promise<void>) | undefined,
  isWithoutProc: false,
}));
vi.mock('node:fs/promises', async (original) => {
  const actual = await original<typeof import('node:fs/promises')>();
  return {
    ...actual,
    async open(...given: Parameters<typeof actual.open>) {
      const handle = await actual.open(...given);
      const { opened } = then;
      then.opened = undefined;
      await opened?.();
      return handle;
    },
    async rename(...given: Parameters<typeof actual.rename>) {
      const { renaming } = then;
      then.renaming = undefined;
      await (renaming ? renaming(String(given[1])) : actual.rename(...given));
    },
    async readlink(...given: Parameters<typeof actual.readlink>) {
      if (then.isWithoutProc) throw new Error('There is no /proc');
      const real = await actual.readlink(...given);
      const { placed } = then;
      if (placed === undefined || String(real) !== placed.real) return real;
      then.placed = undefined;
      await placed.act();
      return real;
    },
    async mkdir(...given: Parameters<typeof actual.mkdir>) {
      const made = await actual.mkdir(...given);
      const { made: act } = then;
      then.made = undefined;
      await act?.(String(given[0]));
      return made;
    },
  };
});

const mayMount = process.getuid?.() === 0 && existsSync('/usr/bin/mount');

let folder: string;
let root: string;
let outside: string;
let files: FileAccess;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'helve-moved-')));
  [root, outside] = [join(folder, 'root'), join(folder, 'outside')];
  await mkdir(join(root, 'dir/sub/deep'), { recursive: true });
  await mkdir(outside);
  await writeFile(join(root, 'dir/file'), 'CANARY');
  await writeFile(join(root, 'dir/sub/below'), 'CANARY');
  await writeFile(join(root, 'ok'), 'fine');
  files = await openFiles({
    allowedPaths: [`${root}/**`],
    maxBytes: 1_000,
    writable: true,
    home: undefined,
    hidden: [],
  });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'ok',
    (error) => error.code as string,
  );
const bytes = Buffer.from('changed');

/** By the folder that is moved away during the operation. */
const changes: readonly (readonly [string, string, () => Promise<unknown>])[] = [
  ['making a folder', 'dir', () => files.createDirectory('dir/new')],
  ['making a file', 'dir', () => files.write('dir/new', bytes, 'append')],
  ['making a file whole', 'dir', () => files.write('dir/new', bytes, 'overwrite')],
  ['overwriting', 'dir', () => files.write('dir/file', bytes, 'overwrite')],
  ['deleting a file', 'dir', () => files.delete('dir/file', { recursive: false })],
  ['deleting a folder', 'dir/sub', () => files.delete('dir/sub/deep', { recursive: false })],
  ['emptying a folder', 'dir/sub', () => files.delete('dir/sub', { recursive: true })],
  ['emptying what is in a folder', 'dir/sub', () => files.delete('dir', { recursive: true })],
  ['moving out of it', 'dir', () => files.move('dir/file', 'moved')],
  ['moving into it', 'dir', () => files.move('ok', 'dir/moved')],
  ['moving a folder into it', 'dir/sub', () => files.move('dir/sub/deep', 'moved')],
];

test.each(changes)('R-files: %s touches nothing if the folder was moved outside meanwhile', async (_, moved, act) => {
  const away = join(outside, 'away');
  const before = moved === 'dir' ? ['file', 'sub'] : ['below', 'deep'];
  then.placed = { real: join(root, moved), act: () => rename(join(root, moved), away) };
  expect(await codeOf(act())).toMatch(/^(conflict|not_found)$/);
  expect(then.placed).toBeUndefined();
  expect((await readdir(away)).sort()).toEqual(before);
  const file = moved === 'dir' ? 'file' : 'below';
  expect(await readFile(join(away, file), 'utf8')).toBe('CANARY');
  expect(await readFile(join(root, 'ok'), 'utf8')).toBe('fine');
});

test.each(changes)('R-files: %s has its effect if the folder is not moved', async (_name, _moved, act) => {
  expect(await codeOf(act())).toBe('ok');
});

test.each([
  ['taken away', 'not_found', async () => undefined],
  ['replaced by a link that leads out', 'forbidden', (real: string) => symlink(outside, real)],
  ['replaced by a file', 'conflict', (real: string) => writeFile(real, 'x')],
] as const)('R-files: a folder that was just created and is %s is not entered: %s', async (_, code, put) => {
  then.made = async () => {
    const real = join(root, 'dir/new');
    await rm(real, { recursive: true });
    await put(real);
  };
  expect(await codeOf(files.createDirectory('dir/new/below'))).toBe(code);
  expect(await readdir(outside)).toEqual([]);
});

test('R-files: a listing does not follow a folder that was moved outside and replaced by a link during the walk', async () => {
  const namesBelow = async () => {
    const { entries } = await files.list('.', { pattern: '**', limit: 100 });
    return entries.map(({ path }) => path.slice(root.length + 1));
  };
  expect(await namesBelow()).toContain('dir/sub/below');
  const real = join(root, 'dir');
  then.placed = {
    real,
    act: async () => {
      await rename(real, join(outside, 'away'));
      await symlink(join(outside, 'away'), real);
    },
  };
  expect(await namesBelow()).not.toContain('dir/sub/below');
  expect(then.placed).toBeUndefined();
});

test('R-files: a listing from above shows nothing inside a hidden folder', async () => {
  const hiding = await openFiles({
    allowedPaths: [`${root}/**`],
    maxBytes: 1_000,
    writable: true,
    home: undefined,
    hidden: [join(root, 'dir/sub')],
  });
  const listed = async (through: FileAccess) =>
    (await through.list('.', { pattern: '**', limit: 100 })).entries.map(({ path }) => path.slice(root.length + 1));
  expect(await listed(files)).toContain('dir/sub/below');
  expect(await listed(hiding)).toEqual(['dir', 'ok', 'dir/file']);
});

test('R-files: a folder that was moved outside is not written to even for a moment', async () => {
  await mkdir(join(root, 'other'));
  const made: string[] = [];
  then.placed = { real: join(root, 'dir'), act: () => rename(join(root, 'dir'), join(outside, 'away')) };
  then.made = async (real) => void made.push(real);
  expect(await codeOf(files.move('other', 'dir/other'))).toBe('conflict');
  then.made = undefined;
  expect(made).toEqual([]);
});

test.each([
  ['written to', (real: string) => appendFile(real, 'theirs'), 'theirs'],
  ['replaced', (real: string) => writeFile(`${real}-theirs`, '').then(() => rename(`${real}-theirs`, real)), ''],
] as const)('R-files: a name that was claimed for a move, and %s meanwhile, is not removed when the move fails', async (_, act, content) => {
  then.renaming = async (to) => {
    await act(to);
    throw Object.assign(new Error('another disk'), { code: 'EXDEV' });
  };
  expect(await codeOf(files.move('ok', 'new'))).toBe('conflict');
  expect(await readFile(join(root, 'new'), 'utf8')).toBe(content);
  expect(await readFile(join(root, 'ok'), 'utf8')).toBe('fine');
});

test('R-files: a link whose target becomes a link meanwhile is not written through', async () => {
  const ok = join(root, 'ok');
  await symlink('ok', join(root, 'link'));
  then.placed = {
    real: ok,
    act: async () => {
      await rm(ok);
      await symlink('dir/file', ok);
    },
  };
  expect(await codeOf(files.write('link', bytes, 'overwrite'))).toBe('conflict');
  expect(await readFile(join(root, 'dir/file'), 'utf8')).toBe('CANARY');
});

test('R-files: a file that grows meanwhile is not read beyond the limit', async () => {
  then.placed = { real: join(root, 'ok'), act: () => appendFile(join(root, 'ok'), 'x'.repeat(2_000)) };
  expect(await codeOf(files.read('ok'))).toBe('too_large');
});

test.each([
  ['and nothing else is', async (): Promise<void> => undefined],
  ['and another has the name that the kernel gives it', () => writeFile(join(root, 'ok (deleted)'), 'other')],
] as const)('R-files: a file that was deleted meanwhile is not there, %s', async (_, act) => {
  then.opened = async () => {
    await rm(join(root, 'ok'));
    await act();
  };
  expect(await codeOf(files.read('ok'))).toBe('not_found');
});

test.skipIf(!mayMount)(
  'R-files: nor if the file that has that name has the same number, on another disk (root only)',
  async (context) => {
    const [disk, other] = [join(root, 'disk'), join(outside, 'disk')];
    const named = join(disk, 'ok (deleted)');
    const mounted: string[] = [];
    const mount = (at: string, ...more: string[]) => {
      execFileSync('mount', [...more, at], { stdio: 'ignore' });
      mounted.unshift(at);
    };
    const setUp = async (at: string) => {
      await mkdir(at);
      mount(at, '-t', 'tmpfs', 'none');
      await writeFile(join(at, 'ok'), 'fine');
      return (await stat(join(at, 'ok'))).ino;
    };
    try {
      const numbers = [await setUp(disk), await setUp(other)].map(String);
      if (new Set(numbers).size > 1) context.skip('the disks of this machine do not number their files alike');
      then.opened = async () => {
        await rm(join(disk, 'ok'));
        await writeFile(named, '');
        mount(named, '--bind', join(other, 'ok'));
      };
      expect(await codeOf(files.read('disk/ok'))).toBe('not_found');
      expect(mounted[0]).toBe(named);
    } catch (error) {
      if (mounted.length === 0) context.skip('this machine does not let root mount');
      throw error;
    } finally {
      for (const at of mounted) execFileSync('umount', [at], { stdio: 'ignore' });
    }
  },
);

test('R-files: on Linux without /proc there is no file access', async () => {
  vi.resetModules();
  then.isWithoutProc = true;
  try {
    const elsewhere = await import('./index.js');
    const limits = { allowedPaths: [`${root}/**`], maxBytes: 1, writable: true, home: undefined, hidden: [] };
    expect(await codeOf(elsewhere.openFiles(limits))).toBe('invalid_config');
  } finally {
    then.isWithoutProc = false;
    vi.resetModules();
  }
});
