/** JSON that is refused before it is parsed; all other JSON is parsed as usual. Outputs as text. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonValue } from '../domain/json.js';
import { outputJson, outputText, parseBoundedJson } from './json-text.js';

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

test('R-pipeline: the JSON of an output is made of its text, also for bare strings', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (output) => {
      expect(outputJson(output as JsonValue, outputText(output as JsonValue))).toBe(JSON.stringify(output));
    }),
  );
  expect(outputText('bare')).toBe('bare');
  expect(outputText(null)).toBe('null');
});
