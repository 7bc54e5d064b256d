import { expect, test } from 'vitest';
import { extractHtml } from './html.js';

test('R-knowledge: named entities are read as the characters that they name', async () => {
  const { elements } = await extractHtml('<p>&Aring;&hearts;&alpha;&frac12;</p><img alt="&hearts;">');
  expect(elements.map(({ type, text }) => [type, text])).toEqual([
    ['image', '♥'],
    ['text', 'Å♥α½\n♥'],
  ]);
});
