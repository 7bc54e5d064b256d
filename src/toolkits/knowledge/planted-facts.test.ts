/**
 * A corpus of more than a hundred documents, made by the libraries that people use, with facts planted in every kind of
 * element. The words of a fact stand in many other documents too: only all of them together tell where it is.
 */
import * as docx from 'docx';
import ExcelJS from 'exceljs';
import PDFDocument from 'pdfkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestHelve, type TestHelve } from '../../testing/index.js';
import { knowledge } from './toolkit.js';

interface Fact {
  readonly tool: string;
  readonly query: string;
  readonly source: string;
  readonly type: string;
  /** Part of the place. */
  readonly place: object;
}

const cities =
  'Lisbon Bergen Oslo Porto Ghent Turin Malmö Kraków Graz Basel Nantes Leeds Bilbao Tartu Split Bruges'.split(' ');
const things = 'turbine pump boiler chiller valve sensor inverter compressor filter gearbox'.split(' ');
const traits = [
  'maintenance interval',
  'noise level',
  'rated power',
  'spare part number',
  'warranty period',
  'supply voltage',
];
const greek = ['alpha', 'beta', 'gamma', 'lambda', 'omega', 'sigma', 'theta', 'rho'];
const filler =
  'The plant was built in stages and every machine in it has a history. Its interval of inspection, the level of its oil, the power it draws, the number of its parts and the period between two visits are written down by the crew. Nobody knows the voltage by heart.';

const facts: Fact[] = [];
const documents: { path: string; bytes: Buffer; caption?: string }[] = [];
let counter = 0;

/** Three words of which each is common and the three together are not. */
function next() {
  const at = counter;
  counter += 1;
  const city = cities[at % 16] ?? '';
  const thing = things[Math.floor(at / 16) % 10] ?? '';
  const trait = traits[Math.floor(at / 160) % 6] ?? '';
  return { city, thing, trait, value: 1_000 + ((at * 7_919) % 9_000), query: `${trait} ${city} ${thing}` };
}
const sentence = (fact: ReturnType<typeof next>): string =>
  `In ${fact.city} the ${fact.thing} has a ${fact.trait} of ${fact.value}.`;
const plant = (source: string, type: string, tool: string, query: string, place: object): void => {
  facts.push({ source, type, tool, query, place });
};
/** In LaTeX, and how a person would type it. */
function formula(at: number) {
  const [one, other] = [greek[at % 8] ?? '', greek[(at + 3) % 8] ?? ''];
  const [letter, power] = ['uvwxyz'[at % 6] ?? '', 2 + (at % 7)];
  return {
    latex: `Q = \\frac{\\${one}^{${power}} ${letter}}{\\${other} + ${at}}`,
    typed: `\\${one}^${power} ${letter}/(\\${other}+${at})`,
    plain: [`${one}^${power}${letter}`, `${other}+${at}`],
  };
}

function markdown(at: number): void {
  const path = `manual/section-${at}.md`;
  const [text, row, picture, code] = [next(), next(), next(), formula(at)];
  const lines = [
    `# Volume ${at}`,
    '',
    filler,
    '',
    `## Chapter ${text.city}`,
    '',
    filler,
    '',
    sentence(text),
    '',
    filler,
  ];
  plant(path, 'text', 'search_knowledge', text.query, { heading: [`Volume ${at}`, `Chapter ${text.city}`] });
  lines.push('', '## Tables', '', '| place | machine | property | value |', '|---|---|---|---|');
  for (const city of cities.slice(0, 6)) lines.push(`| ${city} | none | none | 0 |`);
  lines.push(`| ${row.city} | ${row.thing} | ${row.trait} | ${row.value} |`);
  plant(path, 'table', 'search_tables', row.query, { line: lines.length });
  lines.push('', filler, '', `![The ${picture.thing} of ${picture.city}: its ${picture.trait}](img/${at}.png)`);
  plant(path, 'image', 'search_images', picture.query, { lines: [lines.length, lines.length] });
  lines.push(
    '',
    '## Theory',
    '',
    at % 2 ? `It follows that $${code.latex}$ holds.` : `$$\n${code.latex}\n$$`,
    '',
    filler,
  );
  plant(path, 'formula', 'search_formulas', code.typed, { heading: [`Volume ${at}`, 'Theory'] });
  documents.push({ path, bytes: Buffer.from(lines.join('\n')) });
}

function html(at: number): void {
  const path = `site/page-${at}.html`;
  const [text, row, picture, code] = [next(), next(), next(), formula(100 + at)];
  const others = cities.map((city) => `<tr><td>${city}</td><td>none</td><td>0</td></tr>`).join('');
  const page = `<!doctype html><title>Site ${at}</title><script>var ${text.city} = '${text.trait}'</script><h1>Page ${at}</h1>
    <p>${filler}</p><h2>On ${text.thing}</h2><p>${sentence(text)}</p><p>${filler}</p>
    <table><caption>All about ${row.trait}</caption><tr><th>place<th>machine<th>value</tr>${others}
    <tr><td>${row.city}</td><td>${row.thing}</td><td>${row.value}</td></tr></table>
    <figure><img src="a.png" alt="Drawing"><figcaption>${picture.city}, ${picture.thing}, ${picture.trait}</figcaption></figure>
    <p>So <math><mi>Q</mi><mo>=</mo><mfrac><mrow><msup><mi>${code.plain[0]?.split('^')[0]}</mi><mn>2</mn></msup></mrow><mrow><mi>k</mi><mo>+</mo><mn>${100 + at}</mn></mrow></mfrac></math></p>`;
  plant(path, 'text', 'search_knowledge', text.query, { heading: [`Site ${at}`, `Page ${at}`, `On ${text.thing}`] });
  plant(path, 'table', 'search_tables', row.query, { line: 18 });
  plant(path, 'image', 'search_images', picture.query, { heading: [`Site ${at}`, `Page ${at}`, `On ${text.thing}`] });
  plant(path, 'formula', 'search_formulas', `\\frac{${code.plain[0]?.split('^')[0]}^2}{k+${100 + at}}`, {});
  documents.push({ path, bytes: Buffer.from(page) });
}

async function pdf(at: number): Promise<void> {
  const path = `reports/report-${at}.pdf`;
  const file = new PDFDocument();
  const chunks: Buffer[] = [];
  file.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise((resolve) => file.on('end', resolve));
  for (let page = 1; page <= 3; page += 1) {
    if (page > 1) file.addPage();
    const fact = next();
    file.text(filler).moveDown().text(sentence(fact)).moveDown().text(filler);
    plant(path, 'text', 'search_knowledge', fact.query, { page });
  }
  file.end();
  await ended;
  documents.push({ path, bytes: Buffer.concat(chunks) });
}

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

async function word(at: number): Promise<void> {
  const path = `letters/letter-${at}.docx`;
  const [text, row, picture] = [next(), next(), next()];
  const cell = (words: string) => new docx.TableCell({ children: [new docx.Paragraph(words)] });
  const line = (...cells: string[]) => new docx.TableRow({ children: cells.map(cell) });
  const fraction = new docx.MathFraction({
    numerator: [new docx.MathSuperScript({ children: [new docx.MathRun('m')], superScript: [new docx.MathRun('3')] })],
    denominator: [new docx.MathRun(`r+${200 + at}`)],
  });
  const file = new docx.Document({
    sections: [
      {
        children: [
          new docx.Paragraph({ text: `Letter ${at}`, heading: docx.HeadingLevel.HEADING_1 }),
          new docx.Paragraph(filler),
          new docx.Paragraph({ text: `Part ${text.trait}`, heading: docx.HeadingLevel.HEADING_2 }),
          new docx.Paragraph(sentence(text)),
          new docx.Table({
            rows: [line('place', 'machine', 'property'), line('x', 'y', 'z'), line(row.city, row.thing, row.trait)],
          }),
          new docx.Paragraph({ children: [new docx.TextRun('Hence '), new docx.Math({ children: [fraction] })] }),
          new docx.Paragraph({
            children: [
              new docx.ImageRun({
                type: 'png',
                data: pixel,
                transformation: { width: 9, height: 9 },
                altText: {
                  name: 'p',
                  title: 'p',
                  description: `${picture.thing} in ${picture.city}, ${picture.trait}`,
                },
              }),
            ],
          }),
        ],
      },
    ],
  });
  const heading = [`Letter ${at}`, `Part ${text.trait}`];
  plant(path, 'text', 'search_knowledge', text.query, { heading });
  plant(path, 'table', 'search_tables', row.query, { heading, line: 3 });
  plant(path, 'formula', 'search_formulas', `\\frac{m^3}{r+${200 + at}}`, { heading });
  plant(path, 'image', 'search_images', picture.query, { heading });
  documents.push({ path, bytes: await docx.Packer.toBuffer(file) });
}

async function excel(at: number): Promise<void> {
  const path = `books/book-${at}.xlsx`;
  const workbook = new ExcelJS.Workbook();
  const sheet = workbook.addWorksheet(`Plan ${at}`);
  sheet.addRow(['place', 'machine', 'property', 'value']);
  const fact = next();
  for (let row = 2; row <= 90; row += 1) {
    if (row === 57) sheet.addRow([fact.city, fact.thing, fact.trait, fact.value]);
    else sheet.addRow([cities[row % 16], 'none', 'none', row]);
  }
  sheet.addRow(['sum', '', '', { formula: `SUM(D2:D${60 + at})*${at + 2}`, result: 5 }]);
  documents.push({ path, bytes: Buffer.from(await workbook.xlsx.writeBuffer()) });
  plant(path, 'table', 'search_tables', fact.query, { sheet: `Plan ${at}`, line: 57 });
  plant(path, 'formula', 'search_formulas', `=SUM(D2:D${60 + at})*${at + 2}`, { sheet: `Plan ${at}`, cells: 'D91' });
}

function csv(at: number): void {
  const [fact, path] = [next(), `exports/list-${at}.csv`];
  const rows = Array.from({ length: 80 }, (_, row) => `${cities[row % 16]};"none\nat all";${row}`);
  rows[30] = `${fact.city};${fact.thing};${fact.trait} "${fact.value}"`;
  documents.push({ path, bytes: Buffer.from(`place;machine;property\n${rows.join('\n')}\n`) });
  plant(path, 'table', 'search_knowledge', fact.query, { line: 62 });
}

const camel = (...words: string[]): string =>
  words.map((word, at) => (at === 0 ? word.toLowerCase() : word[0]?.toUpperCase() + word.slice(1))).join('');
const upper = (name: string): string => (name[0] ?? '').toUpperCase() + name.slice(1);

const languages: Record<string, (name: string, comment: string) => string> = {
  ts: (name, comment) =>
    `import x from 'y';\n\n/** ${comment} */\nexport async function ${name}(a: number): Promise<number> {\n  return a;\n}\n`,
  py: (name, comment) =>
    `import os\n\nclass Plant:\n    def ${name}(self, a):\n        """${comment}"""\n        return a\n`,
  go: (name, comment) => `package plant\n\n// ${comment}\nfunc (p *Plant) ${upper(name)}(a int) int {\n\treturn a\n}\n`,
  rs: (name, comment) => `use std::fmt;\n\n/// ${comment}\npub fn ${name}(a: i32) -> i32 {\n    a\n}\n`,
  java: (name, comment) =>
    `package plant;\n\npublic class Plant {\n  // ${comment}\n  public int ${name}(int a) {\n    return a;\n  }\n}\n`,
  cpp: (name, comment) =>
    `#include <vector>\n\nnamespace plant {\n// ${comment}\nint *${name}(int a) {\n  return 0;\n}\n}\n`,
  c: (name, comment) => `#include <stdio.h>\n\n/* ${comment} */\nstatic int ${name}(int a) {\n  return a;\n}\n`,
  rb: (name, comment) => `module Plant\n  # ${comment}\n  def ${name}(a)\n    a\n  end\nend\n`,
  cs: (name, comment) =>
    `namespace Plant {\n  class Machine {\n    // ${comment}\n    public int ${upper(name)}(int a) { return a; }\n  }\n}\n`,
  php: (name, comment) => `<?php\n\n// ${comment}\nfunction ${name}($a) {\n  return $a;\n}\n`,
};

function code(extension: string, at: number): void {
  const [symbol, comment] = [next(), next()];
  const path = `src/plant-${at}.${extension}`;
  const name = camel(...symbol.trait.split(' '), symbol.city.normalize('NFKD').replace(/\W/g, ''), symbol.thing);
  const text = languages[extension]?.(name, sentence(comment)) ?? '';
  documents.push({ path, bytes: Buffer.from(text) });
  const shown = /func|cs$/.test(extension) || extension === 'go' || extension === 'cs' ? upper(name) : name;
  const line = text.split('\n').findIndex((row) => row.includes(`${shown}(`)) + 1;
  plant(
    path,
    'symbol',
    'search_codebase',
    `${symbol.city.normalize('NFKD').replace(/\W/g, '')} ${symbol.thing} ${symbol.trait}`,
    {
      symbol: expect.objectContaining({ name: shown }),
      lines: [line, expect.any(Number)],
    },
  );
  const remark = text.split('\n').findIndex((row) => row.includes(sentence(comment))) + 1;
  plant(path, 'code', 'search_codebase', comment.query, { line: remark });
}

function picture(at: number): void {
  const [fact, path] = [next(), `photos/photo-${at}.png`];
  documents.push({ path, bytes: pixel, caption: `${fact.city}: the ${fact.thing} and its ${fact.trait}` });
  plant(path, 'image', 'search_multimodal', fact.query, {});
}

let helve: TestHelve;
let slowest = 0;
let watch: NodeJS.Timeout;

beforeAll(async () => {
  for (let at = 0; at < 28; at += 1) markdown(at);
  for (let at = 0; at < 12; at += 1) html(at);
  for (let at = 0; at < 12; at += 1) await pdf(at);
  for (let at = 0; at < 10; at += 1) await word(at);
  for (let at = 0; at < 10; at += 1) await excel(at);
  for (let at = 0; at < 3; at += 1) csv(at);
  for (const extension of Object.keys(languages)) for (let at = 0; at < 2; at += 1) code(extension, at);
  for (let at = 0; at < 5; at += 1) picture(at);
  helve = await createTestHelve({ nativeToolkits: [knowledge] });
  let last = performance.now();
  watch = setInterval(() => {
    const now = performance.now();
    slowest = Math.max(slowest, now - last);
    last = now;
  }, 5);
  for (const { path, bytes, caption } of documents) {
    const input = { path, content_base64: bytes.toString('base64'), ...(caption === undefined ? {} : { caption }) };
    const result = await helve.call('ingest_document', input);
    if (!result.ok) throw new Error(`${path}: ${JSON.stringify(result.error)}`);
  }
}, 60_000);
afterAll(async () => {
  clearInterval(watch);
  await helve.close();
});

test('R-knowledge: of more than 200 facts in more than 100 sources, 95 % are in the first ten, at their places', async () => {
  expect(documents.length).toBeGreaterThanOrEqual(100);
  expect(facts.length).toBeGreaterThanOrEqual(200);
  const missed: string[] = [];
  let first = 0;
  for (const { tool, query, source, type, place } of facts) {
    const result = await helve.call(tool, { query, limit: 10 });
    const hits: any[] = result.ok ? (result.output as any).hits : [];
    const matches = (hit: any): boolean => {
      if (hit.source !== source || hit.type !== type) return false;
      try {
        expect(hit.place).toMatchObject(place);
        return true;
      } catch {
        return false;
      }
    };
    const rank = hits.findIndex(matches);
    if (rank === 0) first += 1;
    if (rank < 0) missed.push(`${tool} ${query}: ${source} ${JSON.stringify(place)}; got ${JSON.stringify(hits[0])}`);
  }
  console.info(
    `planted: ${facts.length - missed.length} of ${facts.length} in the first ten, ${first} first; slowest turn ${Math.round(slowest)} ms`,
  );
  expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(facts.length * 0.05);
  expect(first).toBeGreaterThanOrEqual(facts.length * 0.8);
}, 60_000);
