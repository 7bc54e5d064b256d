/** Tables of pages whose authors mean harm. */
import { expect, test } from 'vitest';
import { extractArticle } from './extract-article.js';

test('attack: a long cell that spans a hundred rows does not make a hundred times as long a text', () => {
  const cell = 'Bees make honey. '.repeat(3_000);
  const rows = '<tr><td>1</td></tr>'.repeat(99);
  const words = `<p>${'Bees make honey from the nectar of flowers. '.repeat(12)}</p>`;
  const html = `<article><h1>Bees</h1>${words}<table><tr><td rowspan="100">${cell}</td><td>0</td></tr>${rows}</table>${words}</article>`;
  const { content } = extractArticle({ html, url: 'https://bees.example/', format: 'markdown' });
  expect(content).toContain('Bees make honey. Bees');
  expect(content.length).toBeLessThan(html.length * 3);
});
