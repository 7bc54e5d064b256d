/** `read_file` of documents: their text, made by the libraries that people use, and files that were made to hurt. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as docx from 'docx';
import ExcelJS from 'exceljs';
import { unzipSync, zipSync } from 'fflate';
import PDFDocument from 'pdfkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestHelve, type TestHelve } from '../../testing/index.js';
import { files } from './toolkit.js';

let folder: string;
let helve: TestHelve;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'helve-documents-'));
  helve = await createTestHelve({
    nativeToolkits: [files],
    granted: ['read_file'],
    toolConfig: { read_file: { allowed_paths: [`${folder}/**`], max_bytes: 1_000_000 } },
  });
});
afterAll(async () => {
  await helve.close();
  await rm(folder, { recursive: true, force: true });
});

async function read(name: string, bytes: Uint8Array | string, more: object = {}): Promise<any> {
  await writeFile(join(folder, name), bytes);
  const result = await helve.call('read_file', { path: name, ...more });
  return result.ok ? result.output : result.error;
}

async function makePdf(draw: (file: PDFKit.PDFDocument) => void, options: object = {}): Promise<Buffer> {
  const file = new PDFDocument(options);
  const chunks: Buffer[] = [];
  file.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise((resolve) => file.on('end', resolve));
  draw(file);
  file.end();
  await ended;
  return Buffer.concat(chunks);
}

async function makeSheet(rows: number): Promise<Uint8Array> {
  const workbook = new ExcelJS.Workbook();
  const costs = workbook.addWorksheet('Costs');
  costs.addRow(['Item', 'Euro']);
  for (let at = 1; at <= rows; at += 1) costs.addRow([`item ${at}`, at]);
  costs.addRow(['Sum', { formula: `SUM(B2:B${rows + 1})`, result: 5_050 }]);
  workbook.addWorksheet('Notes').addRow(['approved by Ada']);
  return new Uint8Array(await workbook.xlsx.writeBuffer());
}

const encoder = new TextEncoder();

test('R-files: a PDF is read page by page, and the answer says that it is extracted text', async () => {
  const pdf = await makePdf((file) => file.text('The rent is 900 euros.').addPage().text('Signed in Graz.'));
  const answer = await read('contract.pdf', pdf);
  expect(answer).toMatchObject({
    content: '[Page 1]\nThe rent is 900 euros.\n\n[Page 2]\nSigned in Graz.',
    path: join(folder, 'contract.pdf'),
    size: pdf.length,
    extracted_from: 'application/pdf',
    notes: [expect.stringContaining('Tables')],
  });
  // The format is known by the bytes, whatever the name.
  expect((await read('contract.txt', pdf)).content).toBe(answer.content);
  const raw = await read('contract.pdf', pdf, { binary: true });
  expect([raw.extracted_from, raw.content]).toEqual([undefined, pdf.toString('base64')]);
});

test('R-files: a workbook is read sheet by sheet, each row once, a formula as its result', async () => {
  const { content, extracted_from } = await read('budget.xlsx', await makeSheet(100));
  const rows = Array.from({ length: 100 }, (_, at) => `item ${at + 1} | ${at + 1}`);
  expect(content.split('\n')).toEqual([
    '[Sheet Costs]',
    'Item | Euro',
    ...rows,
    'Sum | 5050',
    '',
    '[Sheet Notes]',
    'approved by Ada',
  ]);
  expect(extracted_from).toMatch(/spreadsheetml\.sheet$/);
});

test('R-files: a Word file is read in order, with its tables and headings', async () => {
  const cell = (text: string) => new docx.TableCell({ children: [new docx.Paragraph(text)] });
  const row = (...texts: string[]) => new docx.TableRow({ children: texts.map(cell) });
  const children = [
    new docx.Paragraph({ text: 'Travel', heading: docx.HeadingLevel.HEADING_1 }),
    new docx.Paragraph('Trains first.'),
    new docx.Table({ rows: [row('City', 'Rate'), row('Graz', '28')] }),
    new docx.Paragraph('Ask Ada.'),
  ];
  const bytes = await docx.Packer.toBuffer(new docx.Document({ sections: [{ children }] }));
  expect((await read('travel.docx', bytes)).content).toBe(
    'Travel\nTrains first.\n\nCity | Rate\nGraz | 28\n\nAsk Ada.',
  );
});

test('R-files: a presentation is read slide by slide, with its tables and notes', async () => {
  const { default: PptxGenJS } = await import('pptxgenjs');
  const deck = new (PptxGenJS as unknown as new () => import('pptxgenjs').default)();
  const first = deck.addSlide();
  first.addText([{ text: 'Plan for ' }, { text: 'Graz & Linz', options: { bold: true } }], { x: 1, y: 1 });
  first.addNotes('Two minutes.');
  first.addTable(
    [
      [{ text: 'City' }, { text: 'Rate' }],
      [{ text: 'Graz' }, { text: '28' }],
    ],
    { x: 1, y: 2 },
  );
  deck.addSlide().addText('Questions?', { x: 1, y: 1 });
  const bytes = (await deck.write({ outputType: 'nodebuffer' })) as Buffer;
  const answer = await read('plan.pptx', bytes);
  expect(answer.content).toBe(
    '[Page 1]\nPlan for Graz & Linz\n\nCity | Rate\nGraz | 28\n\n[Page 1, notes]\nTwo minutes.\n\n[Page 2]\nQuestions?',
  );
  expect(answer.extracted_from).toMatch(/presentationml\.presentation$/);
  const parts = unzipSync(new Uint8Array(bytes));
  // A workbook in it, as of a chart, stored as it is.
  const sheet = zipSync({ 'xl/workbook.xml': encoder.encode('<a/>') });
  const embedded = { 'ppt/embeddings/sheet1.xlsx': sheet, ...parts };
  expect((await read('chart.pptx', zipSync(embedded, { level: 0 }))).content).toBe(answer.content);
  const slide = 'ppt/slides/slide1.xml';
  const laughs = new TextDecoder().decode(parts[slide]).replace('<p:sld', '<!DOCTYPE a [<!ENTITY a "haha">]><p:sld');
  expect(await read('laughs.pptx', zipSync({ ...parts, [slide]: encoder.encode(laughs) }))).toMatchObject({
    message: expect.stringContaining('entities'),
  });
});

test('R-files: a document without text, with a password or damaged is refused in plain words', async () => {
  const scan = await makePdf((file) => file.rect(10, 10, 100, 100).fill('black'), { info: { Title: 'Scan 17' } });
  expect(await read('scan.pdf', scan)).toMatchObject({
    code: 'invalid_input',
    message: 'The PDF has no text: it may be scanned',
    hint: expect.stringContaining('OCR'),
  });
  const locked = await makePdf((file) => file.text('hidden'), { userPassword: 'secret' });
  expect(await read('locked.pdf', locked)).toMatchObject({ message: 'The PDF is encrypted' });
  expect(await read('cut.pdf', '%PDF-1.7\nnothing')).toMatchObject({ message: expect.stringContaining('broken') });
  const sheet = await makeSheet(1);
  expect(await read('cut.xlsx', sheet.subarray(0, -40))).toMatchObject({ message: expect.stringContaining('broken') });
  const old = new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 1, 2]);
  expect(await read('old.doc', old)).toMatchObject({ message: expect.stringContaining('encrypted or an old Office') });
  const archive = zipSync({ 'a.txt': encoder.encode('a') });
  expect(await read('a.zip', archive)).toMatchObject({ message: expect.stringContaining('is an archive') });
});

test('R-files: a text that only mentions the mark of a PDF stays a text', async () => {
  const content = '# Formats\n\nA PDF begins with %PDF- and a version.\n';
  const answer = await read('formats.md', content);
  expect([answer.content, answer.extracted_from]).toEqual([content, undefined]);
});

test('R-files attack: documents that were made to hurt meet the walls of ingestion, and an honest twin is read', async () => {
  const parts = unzipSync(await makeSheet(1));
  const strings = 'xl/sharedStrings.xml';
  const honest = new TextDecoder().decode(parts[strings]);
  expect(honest).toContain('approved by Ada');
  const packed = (text: string) => zipSync({ ...parts, [strings]: encoder.encode(text) }, { level: 9 });
  expect((await read('twin.xlsx', packed(honest))).content).toContain('approved by Ada');
  // Below the limit for files, as packed.
  const huge = packed(honest.replace('approved by Ada', 'x'.repeat(160_000_000)));
  expect(huge.length).toBeLessThan(1_000_000);
  expect(await read('bomb.xlsx', huge)).toMatchObject({
    code: 'too_large',
    message: expect.stringContaining('150 MB'),
  });
  const long = packed(honest.replace('item 1', 'x'.repeat(2_000_000)));
  expect(await read('long.xlsx', long)).toMatchObject({
    code: 'too_large',
    message: expect.stringMatching(/^The text of the document has 2\d{6} characters; at most 1000000 are allowed$/),
  });
  const laughs = honest.replace('<sst', '<!DOCTYPE a [<!ENTITY a "haha">]><sst').replace('approved', '&a;');
  expect(await read('laughs.xlsx', packed(laughs))).toMatchObject({ message: expect.stringContaining('entities') });
  const deep = `${'<a>'.repeat(400_000)}${'</a>'.repeat(400_000)}`;
  const nested = await read('deep.xlsx', packed(honest.replace('<si>', `<si>${deep}`)));
  expect(nested.content ?? nested.code).toMatch(/Costs|invalid_input|too_large|timeout/);
  expect((await read('twin.xlsx', packed(honest))).content).toContain('approved by Ada');
}, 120_000);
