/** The splitter against a real shell, which must find the same words wherever the splitter finds any. */
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { startCpuClock } from '../../testing/cpu-time.js';
import { rounds } from '../../testing/rounds.js';
import { splitWords } from './split-words.js';

const fails = (line: string): { code: string; message: string; hint: string } => {
  try {
    return { code: 'passed', message: JSON.stringify(splitWords(line)), hint: '' };
  } catch (error) {
    return error as ReturnType<typeof fails>;
  }
};

describe('words', () => {
  test.each([
    ['ls -la', ['ls', '-la']],
    ['  a\t b \n', ['a', 'b']],
    [`echo 'a b' "c d" e\\ f`, ['echo', 'a b', 'c d', 'e f']],
    [`a'b'"c"d`, ['abcd']],
    [`echo '' "" x`, ['echo', '', '', 'x']],
    [`echo "a\\"b\\\\c\\d\\$e"`, ['echo', 'a"b\\c\\d$e']],
    [`echo '$HOME' '\\' '|'`, ['echo', '$HOME', '\\', '|']],
    ['echo a\\\nb', ['echo', 'ab']],
    ['find . -name \\*.ts -exec cat {} \\;', ['find', '.', '-name', '*.ts', '-exec', 'cat', '{}', ';']],
    ['echo a#b a~b !x 100% a=b', ['echo', 'a#b', 'a~b', '!x', '100%', 'a=b']],
    ['echo é\u00a0ü', ['echo', 'é\u00a0ü']],
    ['', []],
  ])('R-shell: %j', (line, words) => expect(splitWords(line)).toEqual(words));

  test.each([
    ['cat f | sort', '|', 'stdin'],
    ['echo a > f', '>', 'stdout'],
    ['sort < f', '<', 'stdin'],
    ['a; b', ';', 'one command'],
    ['a && b', '&', 'one command'],
    ['a &', '&', 'background'],
    ['a\nb', '\\n', 'one command'],
    ['echo $(id)', '$', 'not expanded'],
    ['echo $HOME', '$', 'not expanded'],
    ['echo "$HOME"', '$', 'single quotes'],
    ['echo `id`', '`', 'not expanded'],
    ['echo "`id`"', '`', 'single quotes'],
    ['(a)', '(', 'Subshells'],
    ['ls *.ts', '*', 'not expanded'],
    ['ls a?', '?', 'not expanded'],
    ['ls [ab]', '[', 'not expanded'],
    ['ls ~', '~', '/work'],
    ['a # b', '#', 'Comments'],
    [`echo 'a`, "'", 'never closed'],
    [`echo "a`, '"', 'never closed'],
    ['echo \\', '\\\\', 'backslash'],
  ])('R-shell: %j is refused', (line, character, hint) => {
    const error = fails(line);
    expect(error.code, error.message).toBe('invalid_input');
    expect(error.message).toContain(character);
    expect(error.hint).toContain(hint);
    expect(error.hint).toContain('argv');
  });

  test('R-shell: a real shell finds the same words, and no others are let through', () => {
    const piece = fc.constantFrom(...`ab 0-/.,:=@%+{}!^'"\\$|;&<>()*?[]#~\`\n\té`);
    const lines = fc
      .sample(fc.array(piece, { maxLength: 14 }), { numRuns: rounds(1_500, 50_000), seed: 7 })
      .map((pieces) => pieces.join(''))
      .filter((line) => fails(line).code === 'passed');
    // An assignment alone, or in front, is no word of a command; behind a first word it is.
    const commands = lines.map((line) => `printf '%s\\0' x ${line.replace(/\n+$/, '')}\nprintf 'E\\0'`);
    // One shell for all: a line that it reads otherwise also changes what it finds behind it.
    const shells = execFileSync('/bin/sh', { input: commands.join('\n'), encoding: 'utf8', cwd: '/proc/self/fd' });
    // No line has this letter.
    const found = shells.split('E\0').slice(0, -1);
    expect(lines.length).toBeGreaterThan(100);
    for (const [at, line] of lines.entries())
      expect(found[at]?.split('\0').slice(1, -1), line).toEqual(JSON.parse(fails(line).message));
    expect(found).toHaveLength(lines.length);
  });

  test('R-shell: long lines take no more time than their length', () => {
    const worked = startCpuClock();
    for (const line of [
      `${'\n'.repeat(100_000)}a`,
      `a${' '.repeat(100_000)}b`,
      '"a" '.repeat(25_000),
      '\\a'.repeat(50_000),
    ])
      fails(line);
    expect(worked()).toBeLessThan(1_000);
  });
});
