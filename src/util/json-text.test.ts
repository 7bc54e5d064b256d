/** What is refused before it is parsed, and that everything else parses as ever. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseBoundedJson } from './json-text.js';

test('R-limits: any JSON of ordinary size reads as JSON.parse reads it', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(parseBoundedJson(text)).toEqual(JSON.parse(text));
    }),
  );
  const awkward = JSON.stringify({
    'a\\': ['\\"', '\\\\', '"[[[', ',,,', '{'.repeat(500)],
    ',': `${','.repeat(50_000)}"`,
  });
  expect(parseBoundedJson(awkward)).toEqual(JSON.parse(awkward));
});

test('R-limits: many values and deep ones are refused, in strings they count for nothing', () => {
  const refused = (message: RegExp) =>
    expect.objectContaining({ code: 'invalid_input', message: expect.stringMatching(message) });
  const refusal = (text: string): unknown => {
    try {
      return parseBoundedJson(text);
    } catch (error) {
      return error;
    }
  };
  expect(refusal(`[${'1,'.repeat(40_000)}1]`)).toEqual(refused(/32000 values/));
  expect(refusal('['.repeat(101))).toEqual(refused(/nested deeper than 100 levels at character 100/));
  expect(refusal('{"a')).toBeInstanceOf(SyntaxError);
  expect(refusal('"\\')).toBeInstanceOf(SyntaxError);
  expect(parseBoundedJson(JSON.stringify('[{,'.repeat(100_000)))).toHaveLength(300_000);
});
