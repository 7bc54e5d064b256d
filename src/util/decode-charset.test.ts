import { expect, test } from 'vitest';
import { decodeCharset } from './decode-charset.js';

const bytes = Buffer.from('It\x92s \x935 \x80\x94 \x96 d\xe9j\xe0', 'latin1');

test.each(['windows-1252', 'cp1252', 'iso-8859-1', 'Latin1'])('%s has quotes, a dash and the euro sign', (charset) => {
  expect(decodeCharset(bytes, charset)).toBe('It’s “5 €” – déjà');
});

test('other known charsets are decoded, and an unknown one gives undefined', () => {
  expect(decodeCharset(Buffer.from('d\u0080j\u00e0'), 'utf-8')).toBe('d\u0080jà');
  expect(decodeCharset(Buffer.from([0x83, 0x65, 0x83, 0x58]), 'shift_jis')).toBe('テス');
  expect(decodeCharset(bytes, 'klingon')).toBeUndefined();
});
