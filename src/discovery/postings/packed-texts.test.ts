/** Texts as bytes and back. */
import { expect, it } from 'vitest';
import { atOnce } from '../../util/slices.js';
import { packTexts, textAt } from './packed-texts.js';

it('R-tiers: any text is restored exactly: accents, other scripts, line breaks, halves of characters, nothing', () => {
  for (const texts of [
    [],
    [''],
    ['a', '', 'b\n\nc', ''],
    ['\0', '\xff', 'ü'],
    ['获取', 'a', '', '\ud800', 'x\udc00', '\ufeffb', '😀'],
    Array.from({ length: 2_000 }, (_, at) => `number ${at}`),
  ]) {
    const packed = atOnce(packTexts(texts));
    expect(texts.map((_, at) => textAt(packed, at))).toEqual(texts);
    expect(textAt(packed, texts.length)).toBe('');
  }
});
