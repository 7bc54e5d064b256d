import { expect, test } from 'vitest';
import { finish, newBuilder } from './build.js';
import { addInline } from './inline.js';

test('R-knowledge attack: formulas and images beyond the most that are taken are told', () => {
  const extracted = (formulas: number, images: number) => {
    const builder = newBuilder();
    addInline(builder, `${'$a+b$ '.repeat(formulas)}${'![x](y.png) '.repeat(images)}`, undefined, 'markdown');
    const { elements, notes } = finish(builder);
    const count = (type: string) => elements.filter((element) => element.type === type).length;
    return [count('formula'), count('image'), notes];
  };
  expect(extracted(3, 2)).toEqual([3, 2, []]);
  expect(extracted(5_001, 2)).toEqual([5_000, 2, ['Only the first 5,000 formulas of a paragraph were taken.']]);
  expect(extracted(3, 5_001)).toEqual([3, 5_000, ['Only the first 5,000 images of a paragraph were taken.']]);
});
