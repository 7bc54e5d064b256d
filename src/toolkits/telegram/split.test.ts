import { describe, expect, test } from 'vitest';
import { splitText } from './split.js';

describe('a long text', () => {
  // biome-ignore format: a table
  test.each<readonly [what: string, text: string, most: number, parts: readonly string[]]>([
    ['that fits is one', 'abc', 3, ['abc']],
    ['is cut between paragraphs', 'aa bb\n\ncc dd', 9, ['aa bb', 'cc dd']],
    ['is cut between lines', 'aaaa\nbb cc', 7, ['aaaa', 'bb cc']],
    ['is cut between words', 'aaa bbb ccc', 8, ['aaa bbb', 'ccc']],
    ['of one word is cut anywhere', 'abcdefg', 3, ['abc', 'def', 'g']],
    ['is cut where a space is just beyond', 'abc def', 3, ['abc', 'def']],
    ['of white space is none', ' \n ', 3, []],
  ])('R-telegram: %s', (_what, text, most, parts) => {
    expect(splitText(text, most)).toEqual(parts);
  });

  test('R-telegram: no character is cut in two, nothing visible is lost, no part is too long', () => {
    const text = `${'👩‍💻'.repeat(900)} ${'word '.repeat(3_000)}${'x'.repeat(9_000)}${'\n'.repeat(50)}end`;
    const parts = splitText(text);
    for (const part of parts) {
      expect(part.length).toBeLessThanOrEqual(4_096);
      expect(part).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/);
    }
    expect(parts.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
  });
});
