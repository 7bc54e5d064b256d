import { describe, expect, it } from 'vitest';
import { findMatcher } from './index.js';
import { parsePattern } from './parse.js';
import { linearMatcher } from './re2.js';

const texts = [
  '',
  'a',
  'aa',
  'ab',
  'abc',
  'A1',
  '2024-05-06',
  'refs/heads/main',
  'a\nb',
  'a b',
  'a\u00a0b',
  '\u2028',
  'é',
  'ß',
  '😀',
  '😀😀',
  'x-y_z',
  '[a]',
  '{2}',
  'a{2}',
  '$1',
  '^',
  '\\d',
  'Ω',
  'ﬁ',
  '0'.repeat(40),
  '\u0000',
  '\ufeff',
  'aB3$xyzw',
];
const patterns = [
  '^a+$',
  'a|b',
  '^(a|b)*c?$',
  '[a-c]{2,3}',
  '^\\d{4}-\\d{2}-\\d{2}$',
  '^refs/(heads|tags)/.*$',
  '.',
  '^.$',
  '^.{2}$',
  '\\s',
  '^\\S+$',
  '[\\s]',
  '[^\\s]',
  '\\w+\\W',
  '[\\w-]+',
  '[^a]',
  '[]',
  '[^]',
  '\\bb\\b',
  '\\u0061',
  '\\x61',
  '\\u{1F600}',
  '\\p{L}',
  '\\P{L}',
  '^\\p{Lu}',
  '\\p{Letter}',
  '\\p{Script=Greek}',
  '[\\p{L}\\d]',
  '\\ud83d\\ude00',
  '\\cJ',
  '\\0',
  '\\$1',
  '[$-/]',
  '[a\\-z]',
  '[-a]',
  '[a-]',
  '[[]',
  '\\[a\\]',
  'a\\{2\\}',
  '(?:a|ab)(?:c|bcd)?',
  '(?<n>a)b',
  '^$',
  '^(?:)$',
  '\\^',
  '^(?=.*[A-Z])(?=.*\\d).{2,}$',
  '^(?!a)',
  '^(?!.*b)a',
];

const unambiguous = [
  '^(?:[a-z]{1,3}\\.)+$',
  '^[a-z]+@[a-z]+$',
  '^(?:-[a-z]+)*$',
  '^(?:[a-z]|\\.(?!\\.))*@x$',
  '^(?:\\/[\\w.-]+)+$',
  '^(?:[a-z]|\\d)*$',
];
const ambiguous = [
  '^(?:(?:a|a)\\.?)*$',
  '^(?:a?)*$',
  '^(?:a{1,2}){2,}$',
  '^(?:[a-z]{1,3}a)+$',
  '^(?:-?[a-z]+)*$',
  '^(?:a|[a-b])*$',
  '^(?:-[a-z-]+)*$',
  '^(?:\\s|[^a])*$',
  '^(?:a+|b)*$',
  '^(?:é|\\W)*$',
  '^(?:.[a-z]+)*$',
];

describe('patterns', () => {
  it.each(ambiguous)('R-schema: %s is not given to a backtracking matcher', (source) => {
    const answer = findMatcher(source);
    if (!('matcher' in answer)) throw new Error(answer.problem);
    expect(answer.matcher.native).toBeUndefined();
    expect(answer.matcher.test('a'.repeat(3_000))).toBe(new RegExp(source, 'u').test('aaa'));
  });

  it.each(patterns)('R-schema: %s means the same in linear time', (source) => {
    const native = new RegExp(source, 'u');
    const linear = linearMatcher(parsePattern(source));
    expect(linear).toBeDefined();
    expect(texts.filter((text) => linear?.test(text) !== native.test(text))).toEqual([]);
  });

  it.each([
    '^(a+)+$',
    '(x+x+)+y',
    '^(a|a)*$',
    '(a*)*b',
    '^([a-z]+)*-$',
  ])('R-schema: %s cannot backtrack catastrophically', (source) => {
    const answer = findMatcher(source);
    if (!('matcher' in answer)) throw new Error(answer.problem);
    expect(answer.matcher.native).toBeUndefined();
    expect(answer.matcher.test(`${'a'.repeat(2_000)}!`)).toBe(false);
  });

  it.each([
    '^(a*)*\\1$',
    '^(?=(a+)+$)(b|a)+(?!x)$',
    '(x{1,1000}){1,1000}y',
    '(',
    '(?i:a)',
  ])('R-schema: %s is refused', (source) => {
    expect(findMatcher(source)).toHaveProperty('problem');
  });

  it('R-schema: patterns that the engine matches in linear time are left to it', () => {
    for (const source of [
      '^[A-Za-z0-9._-]+$',
      '^#[0-9a-f]{6}$',
      '^(top|bottom|after:\\d+)$',
      '^(?:[a-z]{4})*(?:x|y)$',
      ...unambiguous,
    ]) {
      const answer = findMatcher(source);
      expect('matcher' in answer && answer.matcher.native).toBeInstanceOf(RegExp);
    }
  });

  it.each([
    '^.{0,262144}$',
    '^[a-zA-Z0-9]{0,4096}$',
    '^.{1,1600}$',
    '^arn:[^:]{1,63}:[^:]{0,63}:[^:]{0,63}:(?:|\\d{12}):[^/].{0,1023}$',
    '^(\\*\\.)?([A-Za-z0-9-]{0,62}\\.)+com$',
    '\\S{1,8192}',
  ])('R-schema: %s is linear for any repeat count', (source) => {
    const answer = findMatcher(source);
    if (!('matcher' in answer)) throw new Error(answer.problem);
    expect(answer.matcher.native).toBeInstanceOf(RegExp);
    const native = new RegExp(source, 'u');
    for (const text of [
      ...texts,
      'a'.repeat(300_000),
      `arn:a:b:c:123456789012:${'x'.repeat(1_000)}`,
      `${'a.'.repeat(500)}com`,
    ])
      expect(answer.matcher.test(text)).toBe(native.test(text));
  });

  it.each([
    '^(https://|s3://([^/]+))\\S{1,20}[a-z]{0,20}/$',
    '(?=^.{3,63}$)(?!^(\\d+\\.)+\\d+$)(^(([a-z0-9]|[a-z0-9][a-z0-9\\-]*[a-z0-9])\\.)*[a-z]+$)',
    '^(((?!-)[A-Za-z0-9-]{0,62}[A-Za-z0-9])\\.)+((?!-)[A-Za-z0-9-]{1,62}[A-Za-z0-9])(\\.)?$',
  ])('R-schema: %s can be used for its intended texts', (source) => {
    const answer = findMatcher(source);
    if (!('matcher' in answer)) throw new Error(answer.problem);
    const native = new RegExp(source, 'u');
    const meant = [
      'a.b.example',
      'my-bucket.x',
      '1.2.3.4',
      'https://example.com/',
      's3://bucket/key',
      '-a.b',
      'a'.repeat(63),
    ];
    for (const text of [...texts, ...meant])
      expect([text, answer.matcher.test(text)]).toEqual([text, native.test(text)]);
  });

  it.each([
    '^(?:a{0,1000}){0,1000}$',
    '^(?:a|a){0,5000}$',
    '^(?:a{0,2000}a{0,2000}){2,2000}x$',
  ])('R-schema: %s repeats an ambiguous part, and is refused', (source) => {
    expect(findMatcher(source)).toHaveProperty('problem');
  });

  it.each(['(?i)^[a-z]+-ß$', '^(?i)(one|two)$', '(?i)straße'])('R-schema: %s ignores case, by RE2', (source) => {
    const answer = findMatcher(source);
    if (!('matcher' in answer)) throw new Error(answer.problem);
    expect(answer.matcher.native).toBeUndefined();
    const native = new RegExp(source.replace('(?i)', ''), 'iu');
    for (const text of ['ABC-ß', 'abc-SS', 'One', 'TWO', 'three', 'STRAßE', 'Straße 1', '', 'x'.repeat(1_000)])
      expect([text, answer.matcher.test(text)]).toEqual([text, native.test(text)]);
    expect(findMatcher('(?i)(')).toHaveProperty('problem');
    expect(findMatcher('a(?i)b')).toHaveProperty('problem');
  });

  it('R-schema: a text that is too long for its pattern has no verdict', () => {
    const answer = findMatcher('^(?=.*a)(b+)+\\w$');
    expect('matcher' in answer && answer.matcher.test('b'.repeat(5_000_000))).toBeUndefined();
  });
});
