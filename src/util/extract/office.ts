/**
 * Reads DOCX, XLSX and PPTX. All are archives: their content is first unpacked within limits, and only the result is read
 * further.
 */

import { HelveError } from '../../domain/errors.js';
import { pageLook, readColour } from '../hidden-text.js';
import { requirePackage } from '../packages.js';
import { addElement, addTable, finish, flushText, newBuilder, tidy } from './build.js';
import { cellText } from './cell-text.js';
import type { Element, Extracted, Place } from './elements.js';
import { dropHiddenRuns, readWordPart, readWordStyles } from './hidden-runs.js';
import { addHtml, hiddenNote } from './html.js';
import { withMath } from './math.js';
import type { Builder } from './model.js';
import { refuse } from './refuse.js';
import { extractSlides } from './slides.js';
import { columnName, plainXml, prepareWorkbook, readAttribute, type SheetFacts } from './workbook.js';

async function openArchive(bytes: Uint8Array): Promise<Record<string, Uint8Array>> {
  const { unzipSync } = (await import('fflate')) as unknown as {
    unzipSync: (
      bytes: Uint8Array,
      options: { filter: (file: { name: string; originalSize: number }) => boolean },
    ) => Record<string, Uint8Array>;
  };
  let size = 0;
  let count = 0;
  // Pictures and fonts are not read. At most the size that the archive declares is unpacked, so a false size only
  // truncates the file.
  const filter = ({ name, originalSize }: { name: string; originalSize: number }): boolean => {
    if (!/\.(?:xml|rels)$/i.test(name)) return false;
    size += originalSize;
    count += 1;
    if (size > 150_000_000 || count > 5_000) {
      refuse('too_large', 'The archive unpacks to more than 150 MB or 5,000 parts', 'Split the document.');
    }
    return true;
  };
  let files: Record<string, Uint8Array>;
  try {
    files = unzipSync(bytes, { filter });
  } catch (error) {
    if (error instanceof HelveError) throw error;
    return refuse('invalid_input', `The document is broken: ${(error as Error).message}`);
  }
  for (const [name, content] of Object.entries(files)) {
    const head = new TextDecoder('latin1').decode(content.subarray(0, 4_096)).replaceAll('\0', '');
    if (/<!(?:doctype|entity)/i.test(head)) {
      refuse('invalid_input', `${name} in the document declares entities, which no Office program writes`);
    }
  }
  return files;
}

/** Packs the files again without compression, so that the next reader gets only what was checked. */
async function packArchive(files: Record<string, Uint8Array>): Promise<Uint8Array> {
  const { zipSync } = (await import('fflate')) as unknown as {
    zipSync: (files: Record<string, Uint8Array>, options: { level: 0 }) => Uint8Array;
  };
  return zipSync(files, { level: 0 });
}

export async function extractDocx(bytes: Uint8Array): Promise<Extracted> {
  const files = await openArchive(bytes);
  const builder = newBuilder();
  if (dropHidden(files)) builder.notes.push(hiddenNote);
  for (const [name, content] of Object.entries(files)) {
    if (!/^word\/(?:document\d*|footnotes|endnotes|comments)\.xml$/.test(name)) continue;
    const xml = unwrapTexts(new TextDecoder().decode(content));
    files[name] = new TextEncoder().encode(xml.includes('<m:oMath') ? await withMath(xml) : xml);
  }
  const mammoth = requirePackage<Mammoth>('mammoth', 'knowledge');
  const buffer = Buffer.from(await packArchive(files));
  let html: string;
  let pictures = 0;
  try {
    const convertImage = mammoth.images.imgElement(async () => {
      pictures += 1;
      return { src: '' };
    });
    html = (await mammoth.convertToHtml({ buffer }, { convertImage, externalFileAccess: false, styleMap })).value;
  } catch (error) {
    return refuse('invalid_input', `The document cannot be read as DOCX: ${(error as Error).message}`);
  }
  const marked = html.replace(/\ue000([^\ue000\ue001]*)\ue001/g, '<math><mtext>$1</mtext></math>');
  await addHtml(builder, marked);
  const main = Object.entries(files).find(([name]) => /^word\/document\d*\.xml$/.test(name))?.[1];
  const body = new TextDecoder().decode(main);
  if (pictures > 0) builder.notes.push(`Of ${pictures} pictures only the descriptions are read.`);
  for (const [mark, remark] of unread) if (mark.test(body)) builder.notes.push(remark);
  flushText(builder);
  for (const [name, content] of Object.entries(files)) {
    const part = /^word\/(header|footer)\d*\.xml$/.exec(name)?.[1];
    if (part === undefined) continue;
    const texts = new TextDecoder().decode(content).matchAll(/<w:t(?:\s[^<>]*)?>([^<]*)<\/w:t>|<\/w:p>/g);
    const text = [...texts].map(([, run]) => (run === undefined ? '\n' : plainXml(run))).join('');
    addElement(builder, 'text', tidy(text), { place: { part, heading: [] } });
  }
  return finish(builder);
}

/** Removes hidden text from the parts in place, wherever in the archive they are. Returns whether there was any. */
function dropHidden(files: Record<string, Uint8Array>): boolean {
  const parts = Object.entries(files).flatMap(([name, content]) => {
    const xml = readWordPart(content);
    return xml === undefined ? [] : [{ name, xml }];
  });
  const styles = readWordStyles(
    parts
      .map(({ xml }) => xml)
      .filter((xml) => xml.includes('<w:styles'))
      .join(''),
  );
  const isColoured = parts.some(({ xml }) => /<w:displayBackgroundShape\s*\/>/.test(xml));
  const [, page = ''] =
    parts.map(({ xml }) => /<w:background\s([^<>]*)>/.exec(xml)).find((found) => found !== null) ?? [];
  const ground = isColoured
    ? readColour((readAttribute(page, 'w:color') ?? '').toLowerCase(), undefined)
    : pageLook.background;
  let hasHidden = false;
  for (const { name, xml } of parts) {
    const seen = dropHiddenRuns(xml, { styles, ground });
    hasHidden ||= seen !== xml;
    files[name] = new TextEncoder().encode(seen);
  }
  return hasHidden;
}

/** Mammoth leaves out the texts within these elements: results of fields, words with a reading, words with a direction. */
function unwrapTexts(xml: string): string {
  return xml
    .replaceAll(/<w:rt>[\s\S]*?<\/w:rt>/g, '')
    .replaceAll(/<\/?w:(?:fldSimple|ruby|rubyBase|bdo|dir)(?:\s(?:"[^"]*"|[^"<>])*)?>/g, '')
    .replaceAll('<w:cr/>', '<w:br/>');
}

const unread: readonly (readonly [RegExp, string])[] = [
  [
    /<w:(?:del|moveFrom)\s/,
    'The document has tracked changes: insertions were taken, deletions and what was moved away were left out.',
  ],
  [/<w:altChunk\s/, 'The document holds another document, which is not read: open and save it in Word.'],
  [/<(?:c|cx):chart\s|\/drawingml\/2006\/diagram"/, 'Charts and diagrams are not read.'],
];

const styleMap = [
  'comment-reference => sup',
  "p[style-name='Title'] => h1:fresh",
  "p[style-name='Subtitle'] => h2:fresh",
];

export interface Mammoth {
  convertToHtml(from: { buffer: Buffer }, options: object): Promise<{ value: string }>;
  readonly images: { imgElement(make: () => Promise<{ src: string }>): object };
}

export interface Cell {
  readonly address: string;
  readonly col: number;
  readonly value: unknown;
  readonly numFmt?: string;
  readonly formula?: string;
  /** Of a formula. */
  readonly result?: unknown;
  readonly isMerged: boolean;
  readonly master: Cell;
}

export interface Sheet {
  /** Its number, from 1. */
  readonly name: string;
  eachRow(options: object, visit: (row: SheetRow, number: number) => void): void;
}

export interface SheetRow {
  eachCell(options: object, visit: (cell: Cell) => void): void;
}

export interface Workbook {
  readonly xlsx: { load(bytes: Buffer): Promise<unknown> };
  readonly worksheets: readonly Sheet[];
}

export async function extractPptx(bytes: Uint8Array): Promise<Extracted> {
  return extractSlides(await openArchive(bytes));
}

export async function extractXlsx(bytes: Uint8Array): Promise<Extracted> {
  const { files, sheets } = prepareWorkbook(await openArchive(bytes));
  const exceljs = requirePackage<{ Workbook: new () => Workbook }>('exceljs', 'knowledge');
  const workbook = new exceljs.Workbook();
  try {
    await workbook.xlsx.load(Buffer.from(await packArchive(files)));
  } catch (error) {
    return refuse('invalid_input', `The document cannot be read as XLSX: ${(error as Error).message}`);
  }
  const builder = newBuilder();
  for (const sheet of workbook.worksheets) {
    const facts = sheets[Number(sheet.name) - 1];
    if (facts) addSheet(builder, sheet, facts);
  }
  return finish(builder);
}

function addSheet(builder: Builder, sheet: Sheet, { name, notes, ...facts }: SheetFacts): void {
  const rows: { cells: string[]; row: number }[] = [];
  const formulas: Partial<Element>[] = [];
  const place: Place = facts.isHidden ? { sheet: name, part: 'hidden sheet' } : { sheet: name };
  let last = 0;
  let uncounted = 0;
  let header: string[] = [];
  sheet.eachRow({ includeEmpty: false }, (row, number) => {
    const cells: string[] = [];
    const above: string[] = [];
    row.eachCell({ includeEmpty: false }, (cell) => {
      const { master } = cell;
      if (cell.isMerged && master !== cell) {
        const text = tidy(cellText(master.result ?? master.value, master.numFmt));
        if (master.col === cell.col && text.length <= 200) above[cell.col - 1] = text;
        return;
      }
      const { formula, result } = cell;
      const value = formula === undefined ? cell.value : (result ?? `=${formula}`);
      if (formula !== undefined && result === undefined) uncounted += 1;
      const note = notes.get(cell.address);
      const text = tidy(`${cellText(value, cell.numFmt)}${note === undefined ? '' : ` (${note})`}`);
      cells[cell.col - 1] = text;
      last = Math.max(last, cell.col);
      if (!formula || formulas.length >= 5_000) return;
      const context = `${header[cell.col - 1] ?? ''} ${cells.find((left) => left) ?? ''} ${text} ${cell.address}`;
      formulas.push({ text: `=${formula}`, context, place: { ...place, cells: cell.address } });
    });
    // A short text over several rows is repeated in each that has more, because rows are read apart from one another.
    if (cells.some(Boolean)) Object.assign(cells, above);
    // Gaps in a row stay empty cells; of a very wide row, only the cells with content are kept.
    const whole = cells.length > 300 ? cells.filter(Boolean) : Array.from(cells, (text) => text ?? '');
    if (rows.length === 0) header = whole;
    if (whole.some((text) => text !== '')) rows.push({ cells: whole, row: number });
  });
  const [first, ...others] = rows;
  const findPlace = (from = 1, to = 1) => ({ ...place, cells: `A${from}:${columnName(last)}${to}` });
  if (first) addTable(builder, { header: first, rows: others, placeOf: findPlace });
  for (const { text = '', ...more } of formulas) addElement(builder, 'formula', text, more);
  const remarks: readonly (readonly [boolean, string])[] = [
    [facts.isHidden, `The sheet ${name} is hidden.`],
    [facts.hasHiddenCells, `Some rows or columns of the sheet ${name} are hidden; they were taken too.`],
    [facts.hasDrawings, `Pictures, charts and text boxes of the sheet ${name} are not read.`],
    [
      uncounted > 0,
      `The file has no results for ${uncounted} formulas of the sheet ${name}: open and save it in Excel.`,
    ],
    [formulas.length >= 5_000, `Only the first 5,000 formulas of the sheet ${name} were taken.`],
  ];
  for (const [holds, remark] of remarks) if (holds) builder.notes.push(remark);
}
