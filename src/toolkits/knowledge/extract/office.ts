/**
 * Reads DOCX and XLSX. Both are archives: their content is first unpacked within limits, and only the result is read
 * further.
 */

import { HelveError } from '../../../domain/errors.js';
import { requirePackage } from '../../../util/packages.js';
import type { Element, Extracted } from '../elements.js';
import { addElement, addTable, finish, flushText, newBuilder, tidy } from './build.js';
import { addHtml } from './html.js';
import { withMath } from './math.js';
import type { Builder } from './model.js';
import { refuse } from './refuse.js';

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
  for (const [name, content] of Object.entries(files)) {
    if (!/^word\/(?:document|footnotes|endnotes|comments)\.xml$/.test(name)) continue;
    const xml = new TextDecoder().decode(content);
    if (xml.includes('<m:oMath')) files[name] = new TextEncoder().encode(await withMath(xml));
  }
  const mammoth = requirePackage<Mammoth>('mammoth', 'knowledge');
  const buffer = Buffer.from(await packArchive(files));
  const builder = newBuilder();
  let html: string;
  try {
    const convertImage = mammoth.images.imgElement(async () => ({ src: '' }));
    html = (await mammoth.convertToHtml({ buffer }, { convertImage, externalFileAccess: false, styleMap })).value;
  } catch (error) {
    return refuse('invalid_input', `The document cannot be read as DOCX: ${(error as Error).message}`);
  }
  const marked = html.replace(/\ue000([^\ue000\ue001]*)\ue001/g, '<math><mtext>$1</mtext></math>');
  await addHtml(builder, marked);
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

const styleMap = [
  'comment-reference => sup',
  "p[style-name='Title'] => h1:fresh",
  "p[style-name='Subtitle'] => h2:fresh",
];

export interface Mammoth {
  convertToHtml(from: { buffer: Buffer }, options: object): Promise<{ value: string }>;
  readonly images: { imgElement(make: () => Promise<{ src: string }>): object };
}

function plainXml(text: string): string {
  const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
  return text.replace(/&(\w+);/g, (whole, name: string) =>
    Object.hasOwn(named, name) ? (named[name] ?? whole) : whole,
  );
}

export interface Cell {
  readonly address: string;
  readonly col: number;
  readonly value: unknown;
  readonly note?: unknown;
  readonly isMerged: boolean;
  readonly master: Cell;
}

export interface Sheet {
  readonly name: string;
  eachRow(options: object, visit: (row: SheetRow, number: number) => void): void;
}

export interface SheetRow {
  eachCell(options: object, visit: (cell: Cell) => void): void;
}

export async function extractXlsx(bytes: Uint8Array): Promise<Extracted> {
  const files = await openArchive(bytes);
  for (const [name, content] of Object.entries(files)) {
    if (/^xl\/worksheets\/[^/]+\.xml$/.test(name)) files[name] = withoutRanges(content);
  }
  const exceljs = requirePackage<{ Workbook: new () => Workbook }>('exceljs', 'knowledge');
  const workbook = new exceljs.Workbook();
  try {
    await workbook.xlsx.load(Buffer.from(await packArchive(files)));
  } catch (error) {
    return refuse('invalid_input', `The document cannot be read as XLSX: ${(error as Error).message}`);
  }
  const builder = newBuilder();
  for (const sheet of workbook.worksheets) addSheet(builder, sheet);
  return finish(builder);
}

export interface Workbook {
  readonly xlsx: { load(bytes: Buffer): Promise<unknown> };
  readonly worksheets: readonly Sheet[];
}

/**
 * Rules for cells contain no useful words, and the library would write out every cell that they cover: whole columns.
 */
function withoutRanges(content: Uint8Array): Uint8Array {
  let text = new TextDecoder().decode(content);
  for (const name of ['dataValidations', 'conditionalFormatting', 'extLst']) {
    const kept: string[] = [];
    let at = 0;
    for (;;) {
      const start = text.indexOf(`<${name}`, at);
      const end = start < 0 ? -1 : text.indexOf(`</${name}>`, start);
      if (end < 0) break;
      kept.push(text.slice(at, start));
      at = end + name.length + 3;
    }
    text = kept.join('') + text.slice(at);
  }
  return new TextEncoder().encode(text);
}

function addSheet(builder: Builder, sheet: Sheet): void {
  const rows: { cells: string[]; row: number }[] = [];
  const formulas: Partial<Element>[] = [];
  let last = 0;
  let header: string[] = [];
  sheet.eachRow({ includeEmpty: false }, (row, number) => {
    const cells: string[] = [];
    row.eachCell({ includeEmpty: false }, (cell) => {
      if (cell.isMerged && cell.master !== cell) return;
      const text = tidy(`${cellText(cell.value)}${cell.note === undefined ? '' : ` (${cellText(cell.note)})`}`);
      cells[cell.col - 1] = text;
      last = Math.max(last, cell.col);
      const { formula } = (cell.value ?? {}) as { formula?: string };
      if (!formula || formulas.length >= 5_000) return;
      const context = `${header[cell.col - 1] ?? ''} ${cells.find((left) => left) ?? ''} ${text} ${cell.address}`;
      formulas.push({ text: `=${formula}`, context, place: { sheet: sheet.name, cells: cell.address } });
    });
    // Gaps in a row stay empty cells; of a very wide row, only the cells with content are kept.
    const whole = cells.length > 300 ? cells.filter(Boolean) : Array.from(cells, (text) => text ?? '');
    if (rows.length === 0) header = whole;
    if (whole.some((text) => text !== '')) rows.push({ cells: whole, row: number });
  });
  const [first, ...others] = rows;
  const findPlace = (from = 1, to = 1) => ({ sheet: sheet.name, cells: `A${from}:${columnName(last)}${to}` });
  if (first) addTable(builder, { header: first, rows: others, placeOf: findPlace });
  for (const { text = '', ...more } of formulas) addElement(builder, 'formula', text, more);
  if (formulas.length >= 5_000)
    builder.notes.push(`Only the first 5,000 formulas of the sheet ${sheet.name} were taken.`);
}

function columnName(column: number): string {
  let name = '';
  for (let rest = column; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    name = String.fromCharCode(65 + ((rest - 1) % 26)) + name;
  }
  return name || 'A';
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) {
    const iso = Number.isNaN(value.getTime()) ? '' : value.toISOString();
    return iso.replace(/T00:00:00\.000Z$/, '');
  }
  if (typeof value !== 'object') return String(value);
  const { richText, result, formula, text, error, texts } = value as Record<string, unknown>;
  const runs = richText ?? texts;
  if (Array.isArray(runs)) return runs.map((run: { text?: unknown }) => cellText(run.text)).join('');
  if (formula !== undefined) return cellText(result);
  return cellText(error ?? text);
}
