import { describe, expect, test } from 'vitest';
import { compileGlob } from './glob.js';

describe('a caller’s glob', () => {
  test.each([
    ['*', 'a', true],
    ['*', 'a/b', false],
    ['**', 'a/b', true],
    ['**/*', 'a', true],
    ['*.md', 'a.md', true],
    ['*.md', '.md', true],
    ['*.md', 'a/b.md', false],
    ['**/*.md', 'a.md', true],
    ['**/*.md', 'a/b/c.md', true],
    ['a/**', 'a/b/c', true],
    ['*/b', 'a/b', true],
    ['*/b', 'a/c/b', false],
    ['*/b', 'b', false],
    ['a/**', 'b/c', false],
    ['a**b', 'axxb', true],
    ['a**b', 'ax/xb', false],
    ['a**', 'a/b', false],
    ['**b', 'a/b', false],
    ['**b', 'aab', true],
    ['./a', 'a', true],
    ['a?', 'ab', true],
    ['a?', 'a/', false],
    ['[a-c]x', 'bx', true],
    ['[!a]x', 'bx', true],
    ['[!a]x', 'ax', false],
    ['[^a]x', 'ax', false],
    ['[!]]x', 'ax', true],
    ['[!]]x', ']x', false],
    ['[]a]', ']', true],
    ['[!/]', 'a', true],
    ['[\\]]', ']', true],
    ['[/]', '[]', true],
    ['[a', '[a', true],
    ['{a,b}.md', 'b.md', true],
    ['{a,b}.md', 'c.md', false],
    ['{a,{b,c}}', 'c', true],
    ['{a', '{a', true],
    ['a}', 'a}', true],
    ['}{', '}{', true],
    ['\\{a,b}', '{a,b}', true],
    ['a,b', 'a,b', true],
    ['a\\*', 'a*', true],
    ['a\\*', 'ab', false],
    ['a\\', 'a\\', true],
    ['a.b', 'axb', false],
    ['a+', 'aa', false],
    ['a|b', 'a', false],
    ['😀?', '😀é', true],
    ['\\😀', '😀', true],
    ['a\nb*', 'a\nbc', true],
  ] as const)('R-files: %j and %j: %s', async (pattern, path, matches) => {
    expect((await compileGlob(pattern)).matches(path)).toBe(matches);
  });

  test.each([
    ['*', false],
    ['*.md', false],
    ['**', true],
    ['**/*', true],
    ['a/*', true],
    ['a**', true],
  ] as const)('R-files: %s matches below the first level: %s', async (pattern, deep) => {
    expect((await compileGlob(pattern)).deep).toBe(deep);
  });

  test.each([
    '/a',
    '../a',
    'a/../b',
    'a\0',
    `${'a'.repeat(513)}`,
    '[z-a]',
  ])('R-files: %j is refused', async (pattern) => {
    await expect(compileGlob(pattern)).rejects.toMatchObject({ code: 'invalid_input' });
  });

  test('R-files: 512 characters and a name with dots are accepted', async () => {
    expect((await compileGlob('a'.repeat(512))).matches('a'.repeat(512))).toBe(true);
    expect((await compileGlob('..a')).matches('..a')).toBe(true);
  });
});
