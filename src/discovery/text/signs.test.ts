import { expect, it } from 'vitest';
import { readSigns } from './signs.js';

it.each([
  ['rename draft.md to final.md', ['file']],
  ['upload "Q3 report.pdf"', ['file']],
  ["what's 19% of 2350", ['percent']],
  ['is 12 * 7.5 more than 80 %?', ['percent', 'arithmetic']],
  ['2024-05-01 to 2024-06-01', []],
  ['write to anna@example.md', []],
  ['read https://example.com/page.html', []],
  ['what does api.example.com/zen say', ['url']],
  ['show docs/v1.2/intro', []],
  ['see example.com and section 3.14', []],
])('%s says %j without words', (text, words) => {
  expect(readSigns(text)).toEqual(words);
});
