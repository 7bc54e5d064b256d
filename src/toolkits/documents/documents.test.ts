/**
 * R-documents through the pipeline and through a real MCP client. The files are opened by LibreOffice (one start for
 * all of them), by pdf.js, mammoth and exceljs, and their packages are checked part by part.
 */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deflateSync } from 'node:zlib';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import ExcelJS from 'exceljs';
import { strFromU8, unzipSync } from 'fflate';
import mammoth from 'mammoth';
import { parseXmlDocument } from 'slimdom';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { bearer, endAll, openRealDoor } from '../../../tests/mcp/real-door.js';
import { startCpuClock } from '../../testing/cpu-time.js';
import { createTestHelve, type TestHelve } from '../../testing/index.js';

let helve: TestHelve;
let folder: string;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'helve-documents-')));
  helve = await createTestHelve({
    granted: ['create_document'],
    toolConfig: { create_document: { allowed_paths: [`${folder}/**`] } },
  });
});
afterAll(async () => {
  await helve.close();
  await rm(folder, { recursive: true, force: true });
});
afterEach(endAll);

type Made = { bytes: Buffer; output: any; resource: any };

async function make(input: object): Promise<Made> {
  const result: any = await helve.call('create_document', input);
  if (!result.ok) throw Object.assign(new Error(result.error.message), { refused: result.error });
  const block = result.content?.find(({ type }: any) => type === 'resource');
  return { output: result.output, resource: block?.resource, bytes: Buffer.from(block?.resource.blob ?? '', 'base64') };
}

const refusal = async (input: object) =>
  make(input).then(
    () => ({ code: 'none', message: 'it was made' }),
    (error) => error.refused ?? Promise.reject(error),
  );

function crc(bytes: Buffer): number {
  let value = 0xffffffff;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  }
  return (value ^ 0xffffffff) >>> 0;
}

function png(width: number, height: number, pixels: Buffer): string {
  const chunk = (name: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(name), data]);
    const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    size.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc(body));
    return Buffer.concat([size, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width);
  head.writeUInt32BE(height, 4);
  head.set([8, 2], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]);
  const parts = [chunk('IHDR', head), chunk('IDAT', deflateSync(pixels)), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([signature, ...parts]).toString('base64');
}

const flow = [
  { type: 'heading', level: 2, text: 'Überschrift' },
  {
    type: 'paragraph',
    text: 'Growth of **twelve** percent, *slanted*, `snake_case`, ~~gone~~ and [figures](https://example.com/?a=1&b=2).',
  },
  { type: 'paragraph', text: 'Ελληνικά Русский Čeština <tag> & "quoted" 2 * 3 * 4' },
  {
    type: 'list',
    ordered: true,
    items: ['Alpha', { text: 'Beta **strong**', items: [{ text: 'Gamma', items: ['Delta'] }] }],
  },
  {
    type: 'table',
    header: ['Region', 'Revenue'],
    rows: [
      ['Northland', 1234.5],
      ['Southland', null],
    ],
    caption: 'Yearly',
  },
  { type: 'quote', text: 'Quotation' },
  { type: 'code', text: 'const answer = 42;' },
  ...['bar', 'line', 'area', 'scatter'].map((kind) => ({
    type: 'chart',
    kind,
    title: `Chart & ${kind}`,
    categories: [1, 2, 3],
    series: [
      { name: 'First', values: [3, 1, 2] },
      { name: 'Second', values: [1, -2, 3] },
    ],
  })),
  {
    type: 'chart',
    kind: 'pie',
    title: 'Chart & pie',
    categories: ['One', 'Two'],
    series: [{ name: 'All', values: [1, 3] }],
  },
];
const picture = { type: 'image', data_base64: png(2, 2, Buffer.alloc(14, 90)), alt: 'Square picture', width: 20 };
const sheet = {
  type: 'sheet',
  name: 'Costs',
  columns: [{ header: 'Item' }, { header: 'Cost', format: 'number' }, { header: 'Paid', format: 'date' }],
  rows: [
    ['=1+1', 1200.5, { date: '2026-03-14' }],
    ['@SUM(A1)', 5, null],
    ['-2+3', true, null],
  ],
};
const slides = [
  { type: 'slide', layout: 'title', title: 'Opening', subtitle: 'Below' },
  {
    type: 'slide',
    title: 'Steps',
    blocks: [{ type: 'list', items: ['Hire **now**', 'Ship'] }, picture],
    notes: 'Speak slowly',
  },
  {
    type: 'slide',
    title: 'Long',
    layout: 'two_columns',
    blocks: [{ type: 'list', items: Array.from({ length: 60 }, (_, at) => `Point${at}`) }],
  },
];
const named = { title: 'The Report', author: 'Ada L.' };
const inputs: Record<string, any> = {
  pdf: { format: 'pdf', ...named, content: [...flow, picture, { type: 'page_break' }, sheet] },
  docx: {
    format: 'docx',
    ...named,
    content: [...flow, picture, { type: 'paragraph', text: 'مرحبا 中文 🙂' }, { type: 'page_break' }, sheet],
  },
  xlsx: {
    format: 'xlsx',
    ...named,
    content: [{ ...sheet, rows: [...sheet.rows, ['Total', { formula: '=SUM(B2:B3)' }, null]] }, ...flow],
  },
  pptx: { format: 'pptx', ...named, content: [...slides, ...flow, sheet] },
};
const words = (
  'Überschrift twelve slanted snake_case gone figures Ελληνικά Русский Čeština <tag> "quoted" Alpha Beta strong Gamma Delta ' +
  'Region Revenue Northland 1234.5 Southland Quotation answer 42 Chart Costs Item =1+1 @SUM(A1) -2+3 2026-03-14'
).split(' ');

const made = new Map<string, Promise<Made>>();
const get = (format: string) => made.get(format) ?? made.set(format, make(inputs[format])).get(format)!;

/** Whole words, wherever lines were broken. */
function missing(text: string, wanted: readonly string[]): string[] {
  const flat = text.replace(/\s+/g, ' ');
  return wanted.filter((word) => !flat.includes(word));
}

describe('R-documents: each format is opened by a reader of its own', () => {
  test('pdf by pdf.js', async () => {
    const { bytes, resource, output } = await get('pdf');
    expect(resource.mimeType).toBe('application/pdf');
    expect(output.bytes).toBe(bytes.length);
    expect(output.notes).toEqual([expect.stringContaining('“Costs” became a heading and a table')]);
    const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
    const file = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise;
    let text = '';
    const links: string[] = [];
    for (let at = 1; at <= file.numPages; at += 1) {
      const page = await file.getPage(at);
      text += (await page.getTextContent()).items.map((item: any) => item.str + (item.hasEOL ? ' ' : '')).join('');
      links.push(...(await page.getAnnotations()).map(({ url }: any) => url));
    }
    expect(missing(text, [...words, 'The Report', 'Square picture', 'Yearly'])).toEqual([]);
    expect(links).toEqual(['https://example.com/?a=1&b=2']);
    expect((await file.getMetadata()).info).toMatchObject({ Title: 'The Report', Author: 'Ada L.' });
    await file.destroy();
  });

  test('docx by mammoth, with marks and alternative text', async () => {
    const { bytes } = await get('docx');
    const { value } = await mammoth.convertToHtml({ buffer: bytes });
    const text = value
      .replace(/<[^>]+>/g, ' ')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&');
    expect(missing(text, [...words.filter((word) => word !== 'Chart'), 'مرحبا 中文 🙂'])).toEqual([]);
    expect(value).toContain('<strong>twelve</strong>');
    expect(value).toContain('<em>slanted</em>');
    expect(value).toContain('alt="Square picture"');
    expect(value).toContain('href="https://example.com/?a=1&amp;b=2"');
    expect(value).not.toContain('HELVE-CHART');
  });

  test('R-documents: the title is printed above another heading, and once where the first heading is the same', async () => {
    const htmlOf = async (heading: string) => {
      const content = [{ type: 'heading', level: 1, text: heading }];
      const { bytes } = await make({ format: 'docx', title: 'The Report', content });
      return (await mammoth.convertToHtml({ buffer: bytes })).value.replace(/<a id="[^"]*"><\/a>/g, '');
    };
    expect(await htmlOf('Sales')).toBe('<h1>The Report</h1><h1>Sales</h1>');
    expect(await htmlOf('The **Report**')).toMatch(/^<h1>The <strong>Report<\/strong><\/h1>$/);
  });

  test('xlsx by exceljs, with types; what looks like a formula stays a text', async () => {
    const workbook = new ExcelJS.Workbook();
    await workbook.xlsx.load((await get('xlsx')).bytes as any);
    expect([workbook.title, workbook.creator]).toEqual(['The Report', 'Ada L.']);
    const costs = workbook.getWorksheet('Costs')!;
    expect(costs.getCell('A2').value).toBe('=1+1');
    expect(costs.getCell('A3').value).toBe('@SUM(A1)');
    expect(costs.getCell('A4').value).toBe('-2+3');
    expect(costs.getCell('B2').value).toBe(1200.5);
    expect(costs.getCell('B4').value).toBe(true);
    expect(costs.getCell('C2').value).toEqual(new Date('2026-03-14'));
    expect(costs.getCell('B5').formula).toBe('SUM(B2:B3)');
    expect(costs.views[0]).toMatchObject({ state: 'frozen', ySplit: 1 });
    expect(workbook.worksheets.map(({ name }) => name)).toEqual([
      'Costs',
      'Text',
      'Yearly',
      'Chart & bar',
      'Chart & line',
      'Chart & area',
      'Chart & scatter',
      'Chart & pie',
    ]);
  });

  test.each(['docx', 'xlsx', 'pptx'])('%s is a sound package: XML, content types, relations', async (format) => {
    const parts = unzipSync((await get(format)).bytes);
    const types = strFromU8(parts['[Content_Types].xml']!);
    const paths = Object.keys(parts);
    for (const path of paths) {
      if (/\.(xml|rels)$/.test(path)) parseXmlDocument(strFromU8(parts[path]!));
      const end = path.split('.').pop();
      const declared = types.includes(`PartName="/${path}"`) || types.includes(`Extension="${end}"`);
      if (path !== '[Content_Types].xml') expect([path, declared]).toEqual([path, true]);
      if (!path.endsWith('.rels')) continue;
      const base = path.replace(/_rels\/[^/]+$/, '');
      const ids = [...strFromU8(parts[path]!).matchAll(/<Relationship [^>]*\bId="([^"]+)"/g)].map(([, id]) => id);
      expect(new Set(ids).size).toBe(ids.length);
      for (const [tag] of strFromU8(parts[path]!).matchAll(/<Relationship [^>]+>/g)) {
        if (tag.includes('TargetMode="External"')) continue;
        const target = new URL(/Target="([^"]+)"/.exec(tag)![1]!, `file:///${base}`).pathname.slice(1);
        expect([path, decodeURIComponent(target), paths.includes(decodeURIComponent(target))]).toEqual([
          path,
          target,
          true,
        ]);
      }
    }
    for (const [, part] of types.matchAll(/PartName="\/([^"]+)"/g)) expect(paths).toContain(part);
    expect(paths.filter((path) => /vba|macro|activeX/i.test(path))).toEqual([]);
    const everything = paths
      .filter((path) => /\.(xml|rels)$/.test(path))
      .map((path) => strFromU8(parts[path]!))
      .join('');
    expect(everything).not.toMatch(/\/work\/|\/home\/|\/tmp\//);
    expect(paths.filter((path) => /charts\/chart\d+\.xml$/.test(path))).toHaveLength(5);
  });

  test('pptx: paragraphs have their properties once, text fits, notes and pictures are there', async () => {
    const { bytes, output } = await get('pptx');
    expect(output.notes).toContainEqual(expect.stringContaining('content[2]: it fills'));
    const parts = unzipSync(bytes);
    const slidesText = Object.keys(parts)
      .filter((path) => /slides\/slide\d+\.xml$/.test(path))
      .map((path) => strFromU8(parts[path]!));
    for (const slide of slidesText) {
      for (const [paragraph] of slide.matchAll(/<a:p>[\s\S]*?<\/a:p>/g)) {
        expect(paragraph.split('<a:pPr').length).toBeLessThanOrEqual(2);
        expect(/<a:r>[\s\S]*<a:pPr/.test(paragraph)).toBe(false);
      }
      for (const [, y, height] of slide.matchAll(/<a:off x="\d+" y="(\d+)"\/><a:ext cx="\d+" cy="(\d+)"/g)) {
        expect(Number(y) + Number(height)).toBeLessThanOrEqual(6_858_000);
      }
    }
    const text = slidesText
      .join(' ')
      .replace(/<[^>]+>/g, '\n')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"');
    expect(
      missing(text, [...words.filter((word) => word !== 'Chart'), 'Opening', 'Below', 'Point0', 'Point59']),
    ).toEqual([]);
    expect(
      Object.entries(parts).some(([path, part]) => /notesSlide/.test(path) && strFromU8(part).includes('Speak slowly')),
    ).toBe(true);
  });
});

const office = spawnSync('soffice', ['--version']).status === 0 && spawnSync('pdftotext', ['-v']).status === 0;

test.skipIf(!office)(
  'R-documents: LibreOffice opens all of them and their text is whole (skipped: no soffice or pdftotext)',
  async () => {
    const formats = ['docx', 'xlsx', 'pptx'];
    for (const format of formats) await writeFile(join(folder, `${format}.${format}`), (await get(format)).bytes);
    const home = `-env:UserInstallation=file://${join(folder, 'profile')}`;
    const files = formats.map((format) => join(folder, `${format}.${format}`));
    await promisify(execFile)('soffice', [home, '--headless', '--convert-to', 'pdf', '--outdir', folder, ...files], {
      timeout: 100_000,
    });
    await writeFile(join(folder, 'pdf.pdf'), (await get('pdf')).bytes);
    for (const format of ['pdf', ...formats]) {
      const { stdout } = await promisify(execFile)('pdftotext', ['-layout', join(folder, `${format}.pdf`), '-']);
      const wanted = format === 'xlsx' ? [...words.filter((word) => word !== 'Costs'), '1,205.50'] : words;
      expect([format, missing(stdout, wanted)]).toEqual([format, []]);
      // The titles of charts are drawn, so the charts are.
      for (const kind of ['bar', 'line', 'area', 'scatter', 'pie'])
        expect([format, stdout.includes(`Chart & ${kind}`)]).toEqual([format, true]);
    }
  },
  120_000,
);

describe('R-documents: what is refused, and why', () => {
  const pdf = (...content: object[]) => refusal({ format: 'pdf', content });
  const xlsx = (...content: object[]) => refusal({ format: 'xlsx', content });
  const cell = (value: unknown) => xlsx({ type: 'sheet', name: 'A', rows: [[value]] });

  test('blocks that a format cannot hold, by place', async () => {
    expect(await pdf(flow[0]!, slides[0]!)).toMatchObject({
      code: 'invalid_input',
      message: 'content[1] is a slide, which a pdf cannot hold',
    });
    expect((await xlsx(picture)).message).toContain('content[0] is a picture');
    expect((await xlsx({ type: 'page_break' })).message).toContain('content[0] is a page break');
    const formula = { type: 'sheet', name: 'A', rows: [[{ formula: 'A2' }]] };
    expect((await pdf(formula)).message).toContain('content[0].rows[0][0] is a formula');
  });

  test('characters without a glyph, right-to-left text in a pdf and control characters', async () => {
    const missingGlyph = await pdf({ type: 'paragraph', text: 'a 中' });
    expect(missingGlyph.message).toBe('content[0] (paragraph): no font here has the character 中 (U+4E2D)');
    expect(missingGlyph.hint).toContain('toolkits.documents.fonts');
    expect((await pdf({ type: 'heading', text: 'שלום' })).message).toContain('right-to-left');
    for (const bad of ['\u0000', '\u000b', '\ufffe', '\ud800']) {
      expect((await cell(`x${bad}`)).message).toContain(`content[0].rows[0][0] holds the character U+`);
    }
  });

  test('links that are not web or mail addresses', async () => {
    for (const address of ['javascript:alert(1)', 'file:///etc/passwd', 'data:text/html,x']) {
      expect((await pdf({ type: 'paragraph', text: `[a](${address})` })).message).toContain(`links to ${address}`);
    }
  });

  test.each([
    ['WEBSERVICE("http://x.example")', 'WEBSERVICE'],
    ['_xlfn.webservice ("http://x.example")', 'WEBSERVICE'],
    ['HYPERLINK("http://x.example")', 'HYPERLINK'],
    ["cmd|' /C calc'!A0", 'outside the workbook'],
    ["'[other.xlsx]Data'!A1", 'outside the workbook'],
    ['\\\\server\\share!A1', 'outside the workbook'],
    ['SUM(A1', 'is not a complete formula'],
  ])('formula %s', async (formula, why) => {
    expect((await cell({ formula })).message).toContain(why);
  });

  test('pictures that are invalid, too large, or larger than their header says', async () => {
    const image = (data_base64: string) => pdf({ type: 'image', alt: 'x', data_base64 });
    expect((await image('aGVsbG8=')).message).toContain('neither a PNG nor a JPEG');
    expect((await image('https://example.com/a.png')).message).toContain('not base64');
    expect(await image(png(60_000, 60_000, Buffer.alloc(10)))).toMatchObject({ code: 'too_large' });
    expect((await image(png(2, 2, Buffer.alloc(50_000_000)))).message).toContain('do not fit its header');
  });

  test('two sheets of one name, unequal series, invalid dates, a path outside', async () => {
    expect((await xlsx(sheet, { ...sheet, name: 'costs' })).message).toContain('content[1]: there are two sheets');
    const chart = { type: 'chart', kind: 'bar', categories: ['a'], series: [{ name: 's', values: [1, 2] }] };
    expect((await pdf(chart)).message).toContain('“s” has 2 values for 1 categories');
    expect((await cell({ date: '2026-02-31' })).message).toContain('is not a date');
    const outside = await refusal({ format: 'pdf', content: flow.slice(0, 1), path: '/etc/x.pdf' });
    expect(outside.code).toBe('forbidden');
  });
});

test('R-documents: with a path the file is written there and not answered', async () => {
  const { output, resource } = await make({ ...inputs.docx, path: 'report.docx' });
  expect(resource).toBeUndefined();
  expect(output).toMatchObject({ format: 'docx', path: join(folder, 'report.docx') });
  const written = unzipSync(await readFile(join(folder, 'report.docx')));
  expect(Object.keys(written)).toContain('word/document.xml');
});

test('R-documents: texts keep what only looks like markup, and a hostile one takes no time', async () => {
  const { parseInline } = await import('./render/inline.js');
  const plain = (text: string) =>
    parseInline(text, 'x')
      .map((run) => run.text)
      .join('|');
  for (const text of ['2 * 3 * 4', 'snake_case_name', 'a[0](x)', '** a **', '**open', '`open', 'a ** b'])
    expect(plain(text)).toBe(text);
  expect(parseInline('***both*** \\*no\\* **a *b* c**', 'x')).toEqual([
    { text: 'both', bold: true, italic: true },
    { text: ' *no* ' },
    { text: 'a ', bold: true },
    { text: 'b', bold: true, italic: true },
    { text: ' c', bold: true },
  ]);
  const worked = startCpuClock();
  for (const part of ['**a ', '*a ', '`', '[a](', '~~a*b', '[[[', '**a *b ~~c ']) parseInline(part.repeat(40_000), 'x');
  expect(worked()).toBeLessThan(3_000);
});

test('R-documents: a large document leaves the event loop free, and a cancelled one ends', async () => {
  const rows = Array.from({ length: 6_000 }, (_, at) => [`Item ${at}`, 'Some words about it', at]);
  let longest = 0;
  let last = performance.now();
  const ticking = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 5);
  const { output } = await make({ format: 'xlsx', content: [{ type: 'sheet', name: 'Big', rows }], path: 'big.xlsx' });
  clearInterval(ticking);
  expect(output.bytes).toBeGreaterThan(100_000);
  expect(longest).toBeLessThan(400);
  const stop = new AbortController();
  const pending: Promise<any> = helve.call(
    'create_document',
    { format: 'pdf', content: [{ type: 'table', rows }] },
    { signal: stop.signal },
  );
  await expect.poll(async () => (await helve.audited()).at(-1)?.type).toBe('execution.started');
  stop.abort();
  expect((await pending).error).toMatchObject({ code: 'outcome_unknown', details: { reason: 'cancelled' } });
});

test('R-documents: an MCP client gets the file, and a refusal that names the block', async () => {
  const real = await openRealDoor({ granted: ['create_document'] });
  const client = new Client({ name: 'test', version: '0.0.0' });
  const requestInit = { headers: bearer(real.alice) };
  await client.connect(new StreamableHTTPClientTransport(new URL(real.alice.address), { requestInit }) as Transport);
  const result: any = await client.callTool({ name: 'create_document', arguments: inputs.docx });
  const { resource } = result.content.find(({ type }: any) => type === 'resource');
  expect(resource.mimeType).toContain('wordprocessingml');
  expect((await mammoth.extractRawText({ buffer: Buffer.from(resource.blob, 'base64') })).value).toContain('Northland');
  expect(result.structuredContent).toMatchObject({ format: 'docx' });
  const refused: any = await client.callTool({
    name: 'create_document',
    arguments: { format: 'docx', content: [slides[0]] },
  });
  expect([refused.isError, refused._meta.code]).toEqual([true, 'invalid_input']);
  expect(refused.content[0].text).toContain('content[0] is a slide');
  await client.close();
});
