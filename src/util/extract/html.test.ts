import { expect, test } from 'vitest';
import { extractHtml } from './html.js';

test('R-knowledge: named entities are read as the characters that they name', async () => {
  const { elements } = await extractHtml('<p>&Aring;&hearts;&alpha;&frac12;</p><img alt="&hearts;">');
  expect(elements.map(({ type, text }) => [type, text])).toEqual([
    ['image', '♥'],
    ['text', 'Å♥α½\n♥'],
  ]);
});

test('R-knowledge: in a table every cell stands under its header, and its lines stay apart', async () => {
  const rows = [
    '<th rowspan="2">Item<th colspan="2">2024<th>Note',
    '<th>Q1<th>Q2<th>x',
    '<td rowspan="2">Tea<td>1<br>2<td><p>3</p><p>4</p><td><style>a{}</style>n',
    '<td>5<td>6<td>7',
  ];
  const { elements } = await extractHtml(`<table>${rows.map((row) => `<tr>${row}</tr>`).join('')}</table>`);
  expect(elements.map(({ text }) => text.split('\n'))).toEqual([
    ['Item | 2024 |  | Note', 'Item | Q1 | Q2 | x', 'Tea | 1 2 | 3 4 | n', 'Tea | 5 | 6 | 7'],
  ]);
});

test('R-knowledge attack: a cell that spans very much does not make a small page large', async () => {
  const long = 'word '.repeat(100);
  const rows = ['<td colspan="1000000">a<td>b', `<td rowspan="1000000">${long}<td>c`, '<td>d'];
  const { elements } = await extractHtml(`<table>${rows.map((row) => `<tr>${row}</tr>`).join('')}</table>`);
  const [first = '', second, third] = elements.flatMap(({ text }) => text.split('\n'));
  expect(first.split(' | ')).toHaveLength(101);
  expect([second, third]).toEqual([`${long.trim()} | c`, ' | d']);
});
