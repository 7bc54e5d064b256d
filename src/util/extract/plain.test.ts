import PDFDocument from 'pdfkit';
import { expect, test } from 'vitest';
import { extractCsv, extractPdf } from './plain.js';

test('R-knowledge: a quote in CSV that never closes is an error that names its line', () => {
  const text = 'name,remark\n"a","two\nlines"\nb,"never closed\nc,d\n';
  expect(() => extractCsv(text)).toThrow(
    expect.objectContaining({ code: 'invalid_input', message: expect.stringContaining('line 4') }),
  );
  expect(() => extractCsv(text.replace('closed\n', 'closed"\n'))).not.toThrow();
});

test('R-knowledge: in CSV a doubled quote, and one inside a field, close nothing', () => {
  const texts = extractCsv('name,height\n"5"" nail",5" tall\n').elements.map(({ text }) => text);
  expect(texts.join('\n')).toContain('5" nail');
  expect(texts.join('\n')).toContain('5" tall');
});

test.each([
  ['named in the first line', 'sep=;\nname;price\na;1,5\n', 'name | price\na | 1,5', [3, 3]],
  ['beside commas in quotes', '"name, first";"x, y";p\na;b;1,5\n', 'name, first | x, y | p\na | b | 1,5', [2, 2]],
  ['below a title', 'Report of May\n\nname;n\nx;1\n', 'Report of May\nname | n\nx | 1', [3, 4]],
])('R-knowledge: the separator of CSV is found %s', (_, text, lines, place) => {
  const { elements } = extractCsv(text);
  expect(elements.map((element) => [element.text, element.place.lines])).toEqual([[lines, place]]);
});

test('R-knowledge: the pages of a PDF without text are told in one note', async () => {
  const file = new PDFDocument();
  const chunks: Buffer[] = [];
  file.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise((resolve) => file.on('end', resolve));
  file.addPage().addPage().text('Words').addPage().end();
  await ended;
  const { notes } = await extractPdf(Buffer.concat(chunks));
  expect(notes).toContain('Pages 1–2, 4 have no text; scanned pages are not read.');
});

test('R-knowledge: what is filled into the form of a PDF is read, and the remarks on its pages, but no password', async () => {
  const file = new PDFDocument();
  const chunks: Buffer[] = [];
  file.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise((resolve) => file.on('end', resolve));
  file.font('Helvetica').text('Application');
  file.initForm();
  file.formText('name', 50, 150, 200, 20, { value: 'Ada Lovelace' });
  file.formText('empty', 50, 180, 200, 20, {});
  file.formText('code', 50, 210, 200, 20, { value: 'opensesame', password: true });
  file.formCombo('country', 50, 250, 100, 20, { select: ['FR', 'DE'], value: 'DE' });
  file.note(50, 350, 20, 20, 'Ask for her diploma').end();
  await ended;
  const { elements } = await extractPdf(Buffer.concat(chunks));
  const lines = elements.map(({ text }) => text).join('\n');
  expect(lines.split('\n')).toEqual(['Application', 'Ask for her diploma', 'name: Ada Lovelace', 'country: DE']);
});
