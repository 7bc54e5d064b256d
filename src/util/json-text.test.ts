/** JSON that is refused before it is parsed; all other JSON is parsed as usual. Outputs as text. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonValue } from '../domain/json.js';
import { isNestedDeeper, outputJson, outputText, parseBoundedJson, parseExactJson } from './json-text.js';

test('R-limits: JSON of ordinary size gives the same value as JSON.parse', () => {
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

test('R-limits: JSON with too many or too deep values is refused, and brackets in strings do not count', () => {
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

test('attack: a text whose string has no end is refused quickly, and a very long string is read', () => {
  const endless = `{"id":12345678901234567890,"${'\\"'.repeat(30_000)}`;
  const start = performance.now();
  expect(isNestedDeeper(endless, 100)).toBe(false);
  expect(() => parseExactJson(endless)).toThrow(SyntaxError);
  expect(performance.now() - start).toBeLessThan(2_000);
  const long = JSON.stringify({ said: 'x'.repeat(17_000_000), more: [[]] });
  expect(isNestedDeeper(long, 3)).toBe(false);
  expect(isNestedDeeper(long, 2)).toBe(true);
  expect(parseExactJson(`[12345678901234567890,${long}]`)).toHaveLength(2);
});

test('R-openapi: apart from long integers, exact JSON gives the same value as JSON.parse', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const isExact = (value: unknown) => typeof value !== 'number' || Math.abs(value) < 2 ** 53;
      JSON.parse(text, (_, value) => {
        fc.pre(isExact(value));
        return value;
      });
      expect(parseExactJson(`["1234567890123456",${text}]`)).toEqual(['1234567890123456', JSON.parse(text)]);
    }),
  );
});

test('R-pipeline: the JSON of an output is made of its text, also for bare strings', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (output) => {
      expect(outputJson(output as JsonValue, outputText(output as JsonValue))).toBe(JSON.stringify(output));
    }),
  );
  expect(outputText('bare')).toBe('bare');
  expect(outputText(null)).toBe('null');
});
