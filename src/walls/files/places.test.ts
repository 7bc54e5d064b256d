/** Which paths a list of globs allows, by name only; nothing here opens a file. */
import { mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkPlaces, createPlaces, type Places } from './places.js';

const hidden = ['/data/helve', '/work/p/helve.yaml'];
const home = '/data/helve/files/one';
const at = (globs: readonly string[], more: { home?: string; hidden?: readonly string[] } = {}): Promise<Places> =>
  createPlaces({ globs, home: undefined, hidden, ...more });
const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'ok',
    (error) => error.code,
  );

describe('what a glob allows', () => {
  test.each([
    ['/work/p/**', '/work/p/a/b.txt', true],
    ['/work/p/**', '/work/p', true],
    ['/work/p', '/work/p/a/b.txt', true],
    ['/work/p/*.md', '/work/p/a.md', true],
    ['/work/p/*.md', '/work/p/.a.md', true],
    ['/work/p/*.md', '/work/p/a/b.md', false],
    ['/work/p/*.md', '/work/p/a.txt', false],
    ['/work/p/*.md', '/work/p', false],
    ['/work/p/**', '/work/pq', false],
    ['/work/q/[!.]*', '/work/q/a', true],
    ['/work/q/[!.]*', '/work/q/.a', false],
    ['/work/q/[!a-c]*/**', '/work/q/d/x', true],
    ['/work/q/[!a-c]*/**', '/work/q/b/x', false],
    ['/work/q/x[!a]y', '/work/q/x/y', false],
    ['/work/./p//**', '/work/p/a', true],
    ['/work/q/*//a.md', '/work/q/x/a.md', true],
    ['/work/q/*/./a.md', '/work/q/x/a.md', true],
    ['/work/p/**', '/work', false],
    ['/work/p/**', '/work/p/helve.yaml', false],
    ['/work/p/**', '/work/p/helve.yaml/below', false],
    ['/**', '/anything', true],
    ['/**', '/data/helve/keys', false],
    ['/**', '/data/helver', true],
    ['/**', '/proc/self/environ', false],
    ['/**', '/sys/kernel', false],
    ['/**', '/dev/null', false],
    ['/**', '/dev/shm/mine', true],
  ] as const)('R-files: %s, %s: %s', async (glob, path, allowed) => {
    expect((await at([glob])).allows(path)).toBe(allowed);
  });

  test('R-files: the folder of the workspace is reached although it is in a hidden one, and nothing next to it', async () => {
    const places = await at([], { home });
    expect(places.allows(`${home}/note.md`)).toBe(true);
    expect(places.isHome(`${home}/note.md`)).toBe(true);
    expect(places.allows('/data/helve/files/two/note.md')).toBe(false);
    expect(places.isHome('/data/helve/files/two')).toBe(false);
    expect(places.allows('/data/helve/keys')).toBe(false);
    const both = await at([`${home}/**`, '/work/p/**'], { home, hidden: [...hidden, `${home}/private`] });
    expect([both.allows(`${home}/note.md`), both.allows(`${home}/private/key`)]).toEqual([true, false]);
  });

  test('R-files: without a glob and a folder nothing can be reached', async () => {
    expect(await codeOf(at([]))).toBe('invalid_config');
  });
});

describe('a folder as a whole', () => {
  test.each([
    ['/work/q/**', '/work/q/a', true],
    ['/work/q/*', '/work/q/a', false],
    ['/work/q/*/**', '/work/q/a', true],
    ['/work/q/*/**', '/work/q/a/b', true],
    ['/work/q/*/**', '/work/q', false],
    ['/work/q/[!a-c]*/**', '/work/q/d', true],
    ['/work/q/[!a-c]*/**', '/work/q/b', false],
    ['/work/q/*.md', '/work/q/a.md', false],
    ['/work/p/**', '/work/p', false],
    ['/work/p/**', '/work/p/sub', true],
    ['/**', '/', false],
    ['/**', '/work', false],
    ['/work/q/**', '/elsewhere', false],
  ] as const)('R-files: %s covers all of %s: %s', async (glob, path, allowed) => {
    expect((await at([glob])).allowsTree(path)).toBe(allowed);
  });

  test('R-files: nor the folder in which another glob starts, nor a parent of the folder of the workspace', async () => {
    const places = await at(['/work/q/**', '/work/q/inner/mine/**']);
    expect([places.allowsTree('/work/q/inner'), places.allowsTree('/work/q/other')]).toEqual([false, true]);
    const around = await at(['/srv/**'], { home: '/srv/files/one', hidden: [] });
    expect([around.allowsTree('/srv/files'), around.allowsTree('/srv/files/one')]).toEqual([false, true]);
  });

  test('R-files: folders above something hidden are recognised, and the hidden thing is not above itself', async () => {
    const places = await at(['/work/**']);
    expect(['/work', '/work/p', '/work/p/helve.yaml', '/work/q'].map(places.isAboveHidden)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});

describe('the operator’s folders', () => {
  test('R-files: a fixed folder is a root, named as a folder or as itself', async () => {
    const places = await at(['/work/q/**', '/work/one'], { home });
    expect(['/work/q', '/work/one', home, '/work', '/work/q/a'].map(places.isRoot)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
    expect(['/work/q', '/work/one', '/work/q/a'].map(places.isFolderRoot)).toEqual([true, false, false]);
    expect(['/work/q/a', '/work/one', '/work', '/data/helve'].map(places.surrounds)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  test('R-files: a path is relative to the first folder, and refused by name if it leads outside', async () => {
    const places = await at(['/work/q/*.md', '/work/r/**', '/work/p/helve.yaml/**']);
    expect(places.resolve('a.md')).toBe('/work/q/a.md');
    expect(places.resolve('../r/x/./y')).toBe('/work/r/x/y');
    expect(places.resolve('/work/q')).toBe('/work/q');
    for (const path of ['../../etc/passwd', '/etc/passwd', 'a.txt', '/work', '/work/p/helve.yaml'])
      expect(() => places.resolve(path), path).toThrow(/not in a location/);
  });

  test.each([
    '',
    'a\0b',
    'a\ud800b',
    'file:///work/q/a',
    '~',
    '~/a',
    `a${'/b'.repeat(2_100)}`,
  ])('R-files: %j is not a path', async (path) => {
    const places = await at(['/work/q/**']);
    expect(() => places.resolve(path)).toThrow(expect.objectContaining({ code: 'invalid_input' }));
  });

  test('R-files: a name that only starts like one of these is accepted', async () => {
    const places = await at(['/work/q/**']);
    for (const name of ['~a', 'a~', 'files', 'my file:x']) expect(places.resolve(name)).toBe(`/work/q/${name}`);
  });

  test.each([
    'work/**',
    './a',
    'a\0',
    '/a\0b',
    '/work/../etc/**',
  ])('R-files: %j is not a valid glob for an operator', async (glob) => {
    expect(await codeOf(at([glob]))).toBe('invalid_config');
  });
});

describe('globs that name something hidden', () => {
  test.each([
    ['/data/helve/**', true],
    ['/data/helve/keys', true],
    ['/work/p/helve.yaml', true],
    ['/work/p/*.yaml', true],
    ['/work/**/helve.*', true],
    ['/work/p', false],
    ['/work/p/*', false],
    ['/work/p/**', false],
    ['/work/p/*.md', false],
    ['/work/q/**', false],
    ['/work/q/*.yaml', false],
    ['/work/p/helve.yaml.md', false],
    [`${home}/**`, false],
    [home, false],
    ['/data/helve/files/two/**', true],
  ] as const)('R-files: %s stops the start: %s', async (glob, stops) => {
    const code = await codeOf(checkPlaces({ globs: [glob], home, hidden }));
    expect(code).toBe(stops ? 'invalid_config' : 'ok');
  });

  test('R-files: something hidden in the folder of the workspace can be named there too', async () => {
    const inHome = { home, hidden: [...hidden, `${home}/private`] };
    expect(await codeOf(checkPlaces({ globs: [`${home}/private/**`], ...inHome }))).toBe('invalid_config');
  });
});

describe('links', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'helve-places-')));
    await symlink('/work/q', join(folder, 'link'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('R-files: a fixed folder that is a link is allowed by both of its names', async () => {
    const places = await at([`${folder}/link/**`]);
    expect(places.allows('/work/q/a')).toBe(true);
    expect(places.allows(`${folder}/link/a`)).toBe(true);
    expect(places.allows(`${folder}/other/a`)).toBe(false);
  });

  test('R-files: something hidden through a link is hidden under both of its names', async () => {
    const places = await at(['/work/**', `${folder}/**`], { hidden: [join(folder, 'link')] });
    expect([places.allows('/work/q/a'), places.allows(`${folder}/link/a`), places.allows('/work/r')]).toEqual([
      false,
      false,
      true,
    ]);
  });
});
