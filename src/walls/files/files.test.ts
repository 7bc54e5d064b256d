/** The file wall alone: what is inside, what is outside, and what is never reached. */
import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import {
  chmod,
  chown,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { FileAccess } from '../../domain/reach.js';
import { startCpuClock } from '../../testing/cpu-time.js';
import { type FileWallLimits, openFiles } from './index.js';

const mayMount = process.getuid?.() === 0 && existsSync('/usr/bin/mount');

let folder: string;
let root: string;
let outside: string;
let files: FileAccess;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'helve-wall-')));
  [root, outside] = [join(folder, 'root'), join(folder, 'outside')];
  await mkdir(root);
  await mkdir(outside);
  await writeFile(join(outside, 'secret'), 'CANARY');
  await writeFile(join(root, 'ok'), 'fine');
  files = await open([`${root}/**`]);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const open = (allowedPaths: readonly string[], more: Partial<FileWallLimits> = {}) =>
  openFiles({ allowedPaths, maxBytes: 1_000, writable: true, home: undefined, hidden: [], ...more });
const text = async (path: string, through = files) => Buffer.from((await through.read(path)).bytes).toString();
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'ok',
    (error) => error.code as string,
  );
const put = (path: string, content = 'x', through = files) => through.write(path, Buffer.from(content), 'overwrite');

const run = (program: string, more: string[]) => execFileSync(program, more, { stdio: 'ignore' });

/** Every operation on one path. */
const acts = (path: string, through = files): Record<string, () => Promise<unknown>> => ({
  read: () => through.read(path),
  overwrite: () => put(path, 'x', through),
  append: () => through.write(path, Buffer.from('x'), 'append'),
  list: () => through.list(path, { limit: 10 }),
  stat: () => through.stat(path),
  createDirectory: () => through.createDirectory(path),
  delete: () => through.delete(path, { recursive: true }),
  'move from': () => through.move(path, 'here'),
  'move to': () => through.move('ok', path),
});

async function expectAll(path: string, code: RegExp, through = files) {
  for (const [name, act] of Object.entries(acts(path, through)))
    expect(await codeOf(act()), `${name} ${JSON.stringify(path.slice(0, 80))}`).toMatch(code);
  expect(await readFile(join(outside, 'secret'), 'utf8')).toBe('CANARY');
  expect((await readdir(outside)).sort()).toEqual(['secret']);
  expect(await readFile(join(root, 'ok'), 'utf8')).toBe('fine');
}

describe('outside', () => {
  test.each([
    ['an absolute path', () => join(outside, 'secret')],
    ['a path that is not there', () => join(outside, 'none')],
    ['dots', () => '../outside/secret'],
    ['dots behind the root', () => `${root}//./../outside/secret`],
    ['a sibling with the same beginning', () => `${root}-evil/secret`],
    ['the folder above', () => '..'],
    ['the root of the machine', () => '/'],
    ['/proc/self/root', () => `/proc/self/root${outside}/secret`],
    ['/proc/self/cwd', () => '/proc/self/cwd'],
    ['/proc/self/environ', () => '/proc/self/environ'],
    ['/dev/fd', () => '/dev/fd/0'],
    ['/dev/stdin', () => '/dev/stdin'],
  ])('R-files: %s is refused for every operation', async (_, path) => {
    await mkdir(`${root}-evil`);
    await writeFile(`${root}-evil/secret`, 'CANARY');
    await expectAll(path(), /^forbidden$/);
  });

  test.each([
    ['a link to a file', 'secret', ''],
    ['a link to a folder', '', '/secret'],
    ['a link to a folder, something new in it', '', '/new'],
    ['a link to nothing', 'none', ''],
    ['a path through a file', 'secret', '/x'],
  ])('R-files: %s outside is refused for every operation, whether or not something exists there', async (_, target, below) => {
    await symlink(join(outside, target), join(root, 'first'));
    await symlink('first', join(root, 'second'));
    // Nothing is moved onto a link, wherever it leads: the name is taken.
    for (const name of ['first', 'second'])
      await expectAll(`${name}${below}`, below === '' ? /^(forbidden|conflict)$/ : /^forbidden$/);
    for (const act of ['read', 'overwrite', 'append', 'list', 'stat', 'delete', 'move from'])
      expect(await codeOf(acts(`second${below}`)[act]!()), act).toBe('forbidden');
  });

  test('R-files: a name that is too long is told as such, also behind a link', async () => {
    await symlink(outside, join(root, 'link'));
    for (const path of ['x'.repeat(300), `link/${'x'.repeat(300)}`])
      expect(await codeOf(files.stat(path))).toBe('invalid_input');
  });

  test('R-files: the root of the machine is no name, even if all of it is allowed', async () => {
    const all = await open(['/**']);
    for (const act of [() => put('/', 'x', all), () => all.delete('/', { recursive: false })])
      expect(await codeOf(act())).toBe('forbidden');
  });

  test('R-files: links into /proc are refused', async () => {
    for (const [index, target] of ['/proc/self/root', '/proc/self/cwd', '/proc/self/fd', '/dev/fd/0'].entries()) {
      await symlink(target, join(root, `l${index}`));
      await expectAll(`l${index}`, /^(forbidden|conflict)$/);
      expect(await codeOf(files.read(`l${index}`))).toBe('forbidden');
    }
  });

  test('R-files: what is appended is there once', async () => {
    for (const path of ['ok', 'new']) await files.write(path, Buffer.from(' and more'), 'append');
    expect([await text('ok'), await text('new')]).toEqual(['fine and more', ' and more']);
  });

  test('R-files: a file with a second name elsewhere is neither read nor appended to; overwriting replaces it with a new one', async () => {
    await link(join(outside, 'secret'), join(root, 'hard'));
    expect(await codeOf(files.read('hard'))).toBe('forbidden');
    expect(await codeOf(files.write('hard', Buffer.from('x'), 'append'))).toBe('forbidden');
    expect(await text('hard', await open([`${root}/**`], { allowHardLinks: true }))).toBe('CANARY');
    await put('hard', 'mine');
    expect([await text('hard'), await readFile(join(outside, 'secret'), 'utf8')]).toEqual(['mine', 'CANARY']);
  });

  test.each([
    ['a null byte', 'ok\0.png'],
    ['half a character', 'ok\ud800'],
    ['a URL', 'file:///etc/passwd'],
    ['a home folder', '~/.ssh/id_rsa'],
    ['nothing', ''],
    ['a path too long', 'a/'.repeat(3_000)],
  ])('R-files: %s is malformed', async (_, path) => {
    await expectAll(path, /^invalid_input$/);
  });

  test('R-files: a reader changes nothing', async () => {
    const reader = await open([`${root}/**`], { writable: false });
    expect(await codeOf(put('new', 'x', reader))).toBe('forbidden');
    expect(await codeOf(reader.createDirectory('new'))).toBe('forbidden');
    expect(await codeOf(reader.delete('ok', { recursive: true }))).toBe('forbidden');
    expect(await codeOf(reader.move('ok', 'new'))).toBe('forbidden');
    expect(await readdir(root)).toEqual(['ok']);
  });
});

describe('special files', () => {
  test('R-files: pipes, sockets and devices are refused, and never waited for', async () => {
    run('mkfifo', [join(root, 'pipe')]);
    const server = createServer().listen(join(root, 'socket'));
    const names = ['pipe', 'socket'];
    if (process.getuid?.() === 0) {
      run('mknod', [join(root, 'zero'), 'c', '1', '5']);
      names.push('zero');
    }
    for (const name of names) {
      const { stat: look, createDirectory, 'move to': over, list, ...rest } = acts(name);
      for (const [act, run] of Object.entries(rest)) expect(await codeOf(run()), `${act} ${name}`).toBe('forbidden');
      expect(await codeOf(list!())).toBe('forbidden');
      expect([await codeOf(createDirectory!()), await codeOf(over!())]).toEqual(['conflict', 'conflict']);
      expect(await look!()).toMatchObject({ type: 'other', size: 0 });
    }
    await new Promise((closed) => server.close(closed));
  });
});

describe('inside', () => {
  test('R-files: unusual names are accepted', async () => {
    const odd = [
      '-rf',
      '..∕outside',
      '%2e%2e',
      'a\nb',
      ' ',
      '名前',
      'e\u0301',
      '\\\\?\\C:',
      'x (deleted)',
      '$(id)',
      '*',
      '...',
    ];
    for (const name of odd) {
      await put(name, name);
      expect(await text(name), name).toBe(name);
    }
    const { entries } = await files.list('.', { limit: 100 });
    expect(entries.map(({ name }) => name)).toEqual([...odd, 'ok'].sort());
    expect(await text('ok/')).toBe('fine');
    for (const name of odd) await files.delete(name, { recursive: false });
    expect(await readdir(root)).toEqual(['ok']);
  });

  test('R-files: a link to an allowed place is followed, and written through', async () => {
    await symlink('ok', join(root, 'link'));
    await symlink(root, join(root, 'loop'));
    expect([await text('link'), await text('loop/loop/link')]).toEqual(['fine', 'fine']);
    expect(await put('link', 'new')).toEqual({ path: join(root, 'ok') });
    expect([await text('ok'), (await files.stat('loop')).path]).toEqual(['new', root]);
    const { entries } = await files.list('.', { pattern: '**', limit: 100 });
    expect(entries.map(({ name, type }) => `${name} ${type}`)).toEqual(['link link', 'loop link', 'ok file']);
    await files.delete('link', { recursive: false });
    expect((await readdir(root)).sort()).toEqual(['loop', 'ok']);
  });

  test('R-files: folders are created with their parents and deleted with their contents, and links in them are not followed', async () => {
    expect(await files.createDirectory('a/b/c')).toEqual({ path: join(root, 'a/b/c'), created: true });
    expect(await files.createDirectory('a/b')).toEqual({ path: join(root, 'a/b'), created: false });
    await put('a/b/file');
    await symlink(outside, join(root, 'a/b/out'));
    expect(await codeOf(files.createDirectory('a/b/file/x'))).toBe('not_found');
    expect(await codeOf(files.createDirectory('a/b/file'))).toBe('conflict');
    expect(await codeOf(files.delete('a', { recursive: false }))).toBe('conflict');
    expect(await files.delete('a', { recursive: true })).toEqual({ path: join(root, 'a') });
    expect([await readdir(root), await readdir(outside)]).toEqual([['ok'], ['secret']]);
    expect(await codeOf(files.createDirectory(`x${'/x'.repeat(64)}`))).toBe('invalid_input');
    expect(await readdir(root)).toEqual(['ok']);
    await files.createDirectory('empty');
    await files.delete('empty', { recursive: false });
    expect(await codeOf(files.delete('empty', { recursive: false }))).toBe('not_found');
  });

  test('R-files: a large and badly named folder is deleted completely', async () => {
    await mkdir(join(root, 'many/deep'), { recursive: true });
    execFileSync('sh', ['-c', 'seq 5000 | xargs touch; touch "$(printf "\\377\\376")" deep/x'], {
      cwd: join(root, 'many'),
    });
    await files.delete('many', { recursive: true });
    expect(await readdir(root)).toEqual(['ok']);
  });

  test('R-files: moving never replaces anything', async () => {
    await put('other', 'other');
    await files.createDirectory('dir/sub');
    await put('dir/sub/file', 'deep');
    expect(await codeOf(files.move('ok', 'other'))).toBe('conflict');
    expect(await codeOf(files.move('ok', 'dir'))).toBe('conflict');
    expect(await codeOf(files.move('dir', 'ok'))).toBe('conflict');
    expect(await codeOf(files.move('dir', 'dir'))).toBe('conflict');
    await expect(files.move('dir', 'dir/sub/dir')).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(/is inside/),
    });
    expect(await codeOf(files.move('ok', 'x'.repeat(300)))).toBe('invalid_input');
    expect(await codeOf(files.move('none', 'x'))).toBe('not_found');
    expect(await codeOf(files.move('ok', 'none/x'))).toBe('not_found');
    expect([await text('ok'), await text('other')]).toEqual(['fine', 'other']);
    expect(await files.move('ok', 'dir/moved')).toEqual({ path: join(root, 'dir/moved') });
    expect(await files.move('dir', 'renamed')).toEqual({ path: join(root, 'renamed') });
    expect([await text('renamed/moved'), await text('renamed/sub/file')]).toEqual(['fine', 'deep']);
    expect((await readdir(root)).sort()).toEqual(['other', 'renamed']);
  });

  test('R-files: deleting stops when it is cancelled, and before a tree that is too deep', async () => {
    await files.createDirectory('dir/sub');
    expect(await codeOf(files.delete('dir', { recursive: true, signal: AbortSignal.abort() }))).toBe('cancelled');
    expect(await readdir(join(root, 'dir'))).toEqual(['sub']);
    await mkdir(join(root, `deep${'/x'.repeat(102)}`), { recursive: true });
    expect(await codeOf(files.delete('deep', { recursive: true }))).toBe('too_large');
  });

  test.skipIf(process.getuid?.() !== 0)(
    'R-files: an overwritten file keeps its owner and its group (root only)',
    async () => {
      for (const [uid, gid] of [
        [12_345, 0],
        [0, 12_345],
      ] as const) {
        await chown(join(root, 'ok'), uid, gid);
        await put('ok', 'new');
        expect(await stat(join(root, 'ok'))).toMatchObject({ uid, gid });
      }
    },
  );

  test('R-files: the allowed folder itself is neither deleted nor moved', async () => {
    for (const path of ['.', root, `${root}/`])
      expect([await codeOf(files.delete(path, { recursive: true })), await codeOf(files.move(path, 'x'))]).toEqual([
        'forbidden',
        'forbidden',
      ]);
    expect(await readdir(root)).toEqual(['ok']);
  });
});

describe('globs', () => {
  test('R-files: only what the globs match is reached, also in listings', async () => {
    const some = await open([`${root}/*.txt`, `${root}/pub/**`]);
    await put('a.txt', 'a', some);
    await writeFile(join(root, 'key.pem'), 'CANARY');
    await mkdir(join(root, 'pub'));
    await mkdir(join(root, 'dir.txt'));
    await writeFile(join(root, 'dir.txt/key'), 'CANARY');
    for (const path of ['key.pem', 'new.pem', 'none/a.txt', 'dir.txt/key'])
      expect([path, await codeOf(some.read(path)), await codeOf(put(path, 'x', some))]).toEqual([
        path,
        'forbidden',
        'forbidden',
      ]);
    const { entries } = await some.list(root, { limit: 10, pattern: '**' });
    expect(entries.map(({ name }) => name)).toEqual(['a.txt', 'dir.txt', 'pub']);
    // A folder that matches, but not with all its contents, cannot be moved to where all contents are allowed.
    expect(await codeOf(some.move('dir.txt', 'pub/dir'))).toBe('forbidden');
    expect(await codeOf(some.delete('dir.txt', { recursive: true }))).toBe('forbidden');
    expect(await codeOf(some.delete('dir.txt', { recursive: false }))).toBe('conflict');
    await symlink(join(root, 'key.pem'), join(root, 'link.txt'));
    await expectCode(some.read('link.txt'), 'forbidden');
    await some.move('a.txt', 'pub/a');
    expect(await text('pub/a', some)).toBe('a');
    // Nor may a folder be moved to where its contents are not allowed, or be listed through a link.
    await some.createDirectory('pub/folder');
    expect(await codeOf(some.move('pub/folder', 'folder.txt'))).toBe('forbidden');
    await mkdir(join(root, 'private'));
    await symlink(join(root, 'private'), join(root, 'private.txt'));
    await expectCode(some.list('private.txt', { limit: 10 }), 'forbidden');
  });

  test('R-files: a fixed folder that is a file, or shows the machine, is not read', async () => {
    const odd = await open([`${root}/*.lnk`, `${root}/ok/*.md`, '/dev/*']);
    await symlink('/dev', join(root, 'devices.lnk'));
    await expectCode(odd.read(join(root, 'ok')), 'forbidden');
    await expectCode(odd.list(join(root, 'devices.lnk'), { limit: 10 }), 'forbidden');
  });
  const expectCode = async (promise: Promise<unknown>, code: string) => expect(await codeOf(promise)).toBe(code);

  test('R-files: the fixed folder of a narrow glob is created on request, and nothing else in it', async () => {
    const narrow = await open([`${root}/new/*.md`]);
    expect(await narrow.createDirectory(join(root, 'new'))).toEqual({ path: join(root, 'new'), created: true });
    expect(await codeOf(narrow.createDirectory(join(root, 'new/folder')))).toBe('forbidden');
    expect(await readdir(join(root, 'new'))).toEqual([]);
  });

  test('R-files: a path without wildcards is a file, or a folder with all its contents', async () => {
    await mkdir(join(root, 'dir'));
    await writeFile(join(root, 'dir/x'), 'x');
    const named = await open([join(root, 'ok'), `${root}/dir/`]);
    expect([await text(join(root, 'ok'), named), await text(join(root, 'dir/x'), named)]).toEqual(['fine', 'x']);
    await put(join(root, 'ok'), 'new', named);
    expect(await codeOf(put(join(root, 'okay'), 'x', named))).toBe('forbidden');
    expect(await text('', named).catch((error) => error.code)).toBe('invalid_input');
  });

  test('R-files: the fixed part may be a link made by the operator, or not exist yet', async () => {
    await symlink(root, join(folder, 'alias'));
    const aliased = await open([`${folder}/alias/**`]);
    expect([
      await text('ok', aliased),
      await text(`${folder}/alias/ok`, aliased),
      await text(`${root}/ok`, aliased),
    ]).toEqual(['fine', 'fine', 'fine']);
    const later = await open([`${folder}/later/**`]);
    expect(await codeOf(put('a', 'x', later))).toBe('not_found');
    expect(await codeOf(put('.', 'x', later))).toBe('conflict');
    expect(await later.createDirectory('.')).toEqual({ path: join(folder, 'later'), created: true });
    await put('a', 'x', later);
    expect(await readdir(join(folder, 'later'))).toEqual(['a']);
    expect(await codeOf((await open([`${folder}/no/where/**`])).createDirectory('.'))).toBe('forbidden');
  });

  test.each([
    ['data/**'],
    ['/data/../etc/**'],
    ['/a\0'],
  ])('R-tool-config: %j is not a glob of absolute paths', async (glob) => {
    expect(await codeOf(open([glob]))).toBe('invalid_config');
  });

  test.each([
    '*a'.repeat(120),
    '{a,b}'.repeat(100),
    `${'{'.repeat(200)}${'}'.repeat(200)}`,
    '**/'.repeat(150),
    `+(${'a|'.repeat(100)}a)`,
    '[a-z]*'.repeat(80),
  ])('R-files: a hostile pattern costs almost nothing: %.40s', async (pattern) => {
    await writeFile(join(root, 'a'.repeat(250)), '');
    const worked = startCpuClock();
    await codeOf(files.list('.', { pattern, limit: 10 }));
    expect(worked()).toBeLessThan(1_500);
  });
});

describe('Helve’s own folder', () => {
  const setUp = async () => {
    const data = join(root, 'helve');
    const home = join(data, 'files/w1');
    await mkdir(join(data, 'files/w2'), { recursive: true });
    for (const name of ['helve.db', 'files/w2/secret']) await writeFile(join(data, name), 'CANARY');
    return { data, home, hidden: [data] };
  };

  test('R-files: without allowed_paths, the folder of the workspace, created on first use and for Helve only', async () => {
    const { home, hidden } = await setUp();
    const own = await open([], { home, hidden });
    expect(existsSync(home)).toBe(true);
    await put('a', 'mine', own);
    expect([await text('a', own), (await stat(home)).mode & 0o777]).toEqual(['mine', 0o700]);
    for (const path of ['..', '../w2/secret', '../../helve.db', join(root, 'ok')])
      expect(await codeOf(own.read(path)), path).toBe('forbidden');
    expect(await codeOf(open([]))).toBe('invalid_config');
  });

  test('R-files: never by a glob, by a link, or along with the folder around it', async () => {
    const { data, home, hidden } = await setUp();
    const all = await open(['/**'], { home, hidden });
    // If the operator allows other locations, it is not created.
    expect(existsSync(home)).toBe(false);
    await mkdir(home);
    await symlink(join(data, 'helve.db'), join(root, 'link'));
    for (const path of [data, `${data}/helve.db`, `${data}/files`, `${data}/files/w2/secret`, join(root, 'link')])
      for (const [name, act] of Object.entries(acts(path, all)))
        if (name !== 'move to') expect(await codeOf(act()), `${name} ${path}`).toBe('forbidden');
    for (const path of [root, folder]) {
      expect(await codeOf(all.delete(path, { recursive: true }))).toBe('forbidden');
      expect(await codeOf(all.move(path, `${folder}-moved`))).toBe('forbidden');
    }
    const { entries } = await all.list(root, { pattern: '**', limit: 100 });
    expect(entries.map(({ name }) => name)).toEqual(['link', 'ok']);
    await put(join(home, 'mine'), 'mine', all);
    expect(await text(join(home, 'mine'), all)).toBe('mine');
    expect(await readFile(join(data, 'helve.db'), 'utf8')).toBe('CANARY');
  });

  test('R-files: nothing takes the place of what is hidden and not there yet, or of a folder on the way to it', async () => {
    const later = await open([`${root}/**`], { hidden: [join(root, 'helve.yaml'), join(root, 'later/helve.db')] });
    for (const act of [
      () => put('helve.yaml', 'x', later),
      () => later.createDirectory('helve.yaml'),
      () => later.move('ok', 'helve.yaml'),
      () => later.move('ok', 'later'),
    ])
      expect(await codeOf(act())).toBe('forbidden');
    await later.createDirectory('later');
    expect(await codeOf(later.delete('later', { recursive: false }))).toBe('forbidden');
    expect((await readdir(root)).sort()).toEqual(['later', 'ok']);
  });

  test.skipIf(!mayMount)(
    'R-files: not where a folder around it is mounted a second time (root only)',
    async (context) => {
      const { data, home, hidden } = await setUp();
      const again = join(outside, 'again');
      await mkdir(join(root, 'around/inner'), { recursive: true });
      await mkdir(again);
      try {
        run('mount', ['--bind', root, again]);
      } catch {
        context.skip('this machine does not let root mount');
      }
      try {
        const more = [join(root, 'not-yet'), join(root, 'around/inner/not-yet')];
        const all = await open(['/**'], { home, hidden: [...hidden, ...more] });
        for (const act of [
          () => put(join(again, 'not-yet'), 'x', all),
          () => all.createDirectory(join(again, 'not-yet')),
          () => all.delete(join(again, 'around/inner'), { recursive: false }),
          () => all.move(join(again, 'around/inner'), join(again, 'moved')),
          () => all.read(join(again, 'helve/none')),
        ])
          expect(await codeOf(act())).toBe('forbidden');
        const { entries } = await all.list(outside, { pattern: '**', limit: 100 });
        expect(entries.map(({ path }) => path.slice(outside.length + 1)).sort()).toEqual([
          'again',
          'again/around',
          'again/around/inner',
          'again/ok',
          'secret',
        ]);
        await expect(all.delete(outside, { recursive: true })).rejects.toThrow(`${again}" is a mounted file system`);
        expect((await readdir(root)).sort()).toEqual(['around', 'helve', 'ok']);
        expect((await readdir(data)).sort()).toEqual(['files', 'helve.db']);
      } finally {
        run('umount', [again]);
      }
    },
  );

  test.skipIf(!mayMount)('R-files: not where it is mounted a second time (root only)', async (context) => {
    const { data, home, hidden } = await setUp();
    const again = join(outside, 'again');
    await mkdir(again);
    try {
      run('mount', ['--bind', data, again]);
    } catch {
      context.skip('this machine does not let root mount');
    }
    try {
      const all = await open(['/**'], { home, hidden });
      expect(await codeOf(all.read(join(again, 'helve.db')))).toBe('forbidden');
      expect(await codeOf(all.read(join(again, 'files/w2/secret')))).toBe('forbidden');
      expect(await codeOf(all.list(again, { limit: 10 }))).toBe('forbidden');
      for (const at of ['helve.db', 'files', 'files/w2/secret', 'new', 'files/new'])
        for (const [name, act] of Object.entries(acts(join(again, at), all)))
          if (name !== 'move to') expect(await codeOf(act()), `${name} ${at}`).toMatch(/forbidden|not_found/);
      expect(await codeOf(all.move(join(root, 'ok'), join(again, 'new')))).toBe('forbidden');
      expect(await codeOf(put(join(again, 'new'), 'x', all))).toBe('forbidden');
      expect(await codeOf(all.createDirectory(join(again, 'files/new')))).toBe('forbidden');
      expect(await codeOf(all.delete(outside, { recursive: true }))).toBe('conflict');
      expect((await readdir(join(data, 'files'))).sort()).toEqual(['w2']);
      expect(await readFile(join(data, 'helve.db'), 'utf8')).toBe('CANARY');
    } finally {
      run('umount', [again]);
    }
  });
});

describe('other disks and other systems', () => {
  const shared = '/dev/shm';
  const elsewhere = existsSync(shared) && statSync(shared).dev !== statSync(tmpdir()).dev;

  test.skipIf(!elsewhere)(
    'R-files: a file that cannot be moved to another disk stays where it is (needs /dev/shm)',
    async () => {
      const far = await mkdtemp(join(shared, 'helve-wall-'));
      try {
        const both = await open([`${root}/**`, `${far}/**`]);
        await both.createDirectory('dir');
        for (const name of ['ok', 'dir']) expect(await codeOf(both.move(name, join(far, name)))).toBe('conflict');
        expect([(await readdir(root)).sort(), await readdir(far)]).toEqual([['dir', 'ok'], []]);
      } finally {
        await rm(far, { recursive: true });
      }
    },
  );

  test.skipIf(!mayMount)('R-files: a full disk does not destroy the old content (root only)', async (context) => {
    const small = join(root, 'around/small');
    await mkdir(small, { recursive: true });
    try {
      run('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'none', small]);
    } catch {
      context.skip('this machine does not let root mount');
    }
    try {
      const large = await open([`${root}/**`], { maxBytes: 100_000 });
      await put('around/small/a', 'a'.repeat(40_000), large);
      await expect(put('around/small/a', 'b'.repeat(40_000), large)).rejects.toMatchObject({
        code: 'tool_failed',
        message: expect.stringContaining('no room'),
      });
      expect(await text('around/small/a', large)).toBe('a'.repeat(40_000));
      expect(await readdir(small)).toEqual(['a']);
      // Deleting does not reach into a mounted file system either.
      for (const path of ['around', 'around/small'])
        expect(await codeOf(large.delete(path, { recursive: true })), path).toBe('conflict');
      await expect(large.delete('around/small', { recursive: false })).rejects.toMatchObject({
        message: expect.stringMatching(/EBUSY/),
      });
      expect(await readdir(small)).toEqual(['a']);
      run('mount', ['-o', 'remount,ro', small]);
      for (const act of [() => large.createDirectory('around/small/new'), () => put('around/small/a', 'x', large)])
        await expect(act()).rejects.toMatchObject({ code: 'forbidden', message: expect.stringMatching(/read-only/) });
    } finally {
      run('umount', [small]);
    }
  });

  test.skipIf(!mayMount)(
    'R-files: /proc is not reached where it is mounted a second time (root only)',
    async (context) => {
      await mkdir(join(root, 'machine'));
      try {
        run('mount', ['--bind', '/proc', join(root, 'machine')]);
      } catch {
        context.skip('this machine does not let root mount');
      }
      try {
        for (const act of [() => files.read('machine/version'), () => files.list('machine', { limit: 10 })])
          expect(await codeOf(act())).toBe('forbidden');
      } finally {
        run('umount', [join(root, 'machine')]);
      }
    },
  );

  test('R-files: without /proc/self/fd there is no file access', async () => {
    const { platform } = process;
    vi.resetModules();
    Object.defineProperty(process, 'platform', { value: 'darwin' });
    try {
      const elsewhere = await import('./index.js');
      const limits = { allowedPaths: [`${root}/**`], maxBytes: 1, writable: true, home: undefined, hidden: [] };
      const refused = { code: 'invalid_config', message: expect.stringContaining('/proc/self/fd') };
      await expect(elsewhere.openFiles(limits)).rejects.toMatchObject(refused);
    } finally {
      Object.defineProperty(process, 'platform', { value: platform });
      vi.resetModules();
    }
  });
});

describe('size and time', () => {
  test('R-files: no file over the limit is read or created, whatever size it claims', async () => {
    run('truncate', ['-s', '100G', join(root, 'big')]);
    await expect(files.read('big')).rejects.toMatchObject({ code: 'too_large', details: { size: 100 * 2 ** 30 } });
    expect(await codeOf(put('x', 'x'.repeat(1_001)))).toBe('too_large');
    expect(await codeOf(files.write('big', Buffer.from('x'), 'append'))).toBe('too_large');
    await put('full', 'x'.repeat(1_000));
    expect(await codeOf(files.write('full', Buffer.from('x'), 'append'))).toBe('too_large');
    expect((await text('full')).length).toBe(1_000);
  });

  test('R-files: a file that may not be written is left alone, and an unreadable one is reported', async () => {
    await chmod(join(root, 'ok'), 0o400);
    const asRoot = process.getuid?.() === 0;
    expect(await codeOf(put('ok', 'x'))).toBe(asRoot ? 'ok' : 'forbidden');
    expect(dirname((await files.stat('ok')).path)).toBe(root);
  });
});
