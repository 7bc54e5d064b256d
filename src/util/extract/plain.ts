/** Reads CSV, PDF and images. */

import { pathToFileURL } from 'node:url';
import { HelveError } from '../../domain/errors.js';
import { findPdfReader } from './assets.js';
import { addElement, addHeading, addTable, finish, flushText, newBuilder, tidy } from './build.js';
import type { Extracted } from './elements.js';
import { addInline } from './inline.js';
import { refuse } from './refuse.js';

/** The separator that most of the first lines have outside of quotes. Excel may name it in a line of its own. */
function findSeparator(text: string): string {
  const named = /^sep=(.)\r?\n/i.exec(text)?.[1];
  if (named !== undefined) return named;
  const unquoted = text.slice(0, 20_000).replaceAll(/"[^"]*"/g, '');
  const lines = unquoted.split(/[\r\n]+/, 20);
  const rate = (mark: string): number => lines.filter((line) => line.includes(mark)).length * 20_000 + count(mark);
  const count = (mark: string): number => unquoted.split(mark).length;
  return [',', ';', '\t', '|'].reduce((best, other) => (rate(other) > rate(best) ? other : best));
}

/** Fields in quotes may contain separators and line breaks. */
export function extractCsv(text: string): Extracted {
  const mark = findSeparator(text);
  const rows: { cells: string[]; row: number }[] = [];
  let cells: string[] = [];
  // The line that names the separator is no row.
  let at = /^sep=.\r?\n/i.exec(text)?.[0].length ?? 0;
  let line = at > 0 ? 2 : 1;
  let start = line;
  const endRow = (): void => {
    if (cells.some((cell) => cell !== '')) rows.push({ cells, row: start });
    cells = [];
  };
  while (at < text.length) {
    let field = '';
    if (text[at] === '"') {
      const { value, end } = quotedField(text, at) ?? refuseOpen(line);
      field = value;
      at = end;
    }
    let end = at;
    while (end < text.length && text[end] !== mark && text[end] !== '\n') end += 1;
    field += text.slice(at, end).replace(/\r$/, '');
    line += field.split('\n').length - 1;
    cells.push(field);
    at = end + 1;
    if (text[end] === mark) continue;
    endRow();
    line += 1;
    start = line;
  }
  endRow();
  const [header, ...others] = rows;
  const builder = newBuilder();
  const findPlace = (from = 1, to = from) => ({ lines: [from, to] as const });
  if (header) addTable(builder, { header, rows: others, placeOf: findPlace });
  return finish(builder);
}

function refuseOpen(line: number): never {
  return refuse(
    'invalid_input',
    `The quote that opens in line ${line} never closes`,
    'Close it, or double it if it is text.',
  );
}

/** Undefined if the quote is never closed. */
function quotedField(text: string, from: number): { value: string; end: number } | undefined {
  const parts: string[] = [];
  let at = from + 1;
  for (;;) {
    const end = text.indexOf('"', at);
    if (end < 0) return undefined;
    parts.push(text.slice(at, end));
    if (text[end + 1] !== '"') return { value: parts.join(''), end: end + 1 };
    parts.push('"');
    at = end + 2;
  }
}

export interface PdfItem {
  readonly str?: string;
  readonly transform?: readonly number[];
  readonly height?: number;
  readonly hasEOL?: boolean;
}

/** What lies over a page: the fields of a form, and what readers have written. */
export interface PdfAnnotation {
  readonly subtype?: string;
  readonly annotationFlags?: number;
  readonly contentsObj?: { readonly str?: string };
  readonly fieldName?: string;
  /** What a reader is told about the field. */
  readonly alternativeText?: string;
  readonly fieldValue?: unknown;
  readonly checkBox?: boolean;
  readonly radioButton?: boolean;
  /** Of a radio button, the value that the field has if it is chosen. */
  readonly buttonValue?: string | null;
  readonly password?: boolean;
}

export interface PdfPage {
  getTextContent(): Promise<{ items: readonly PdfItem[] }>;
  getAnnotations(): Promise<readonly PdfAnnotation[]>;
  cleanup(): void;
}

export interface PdfDocument {
  readonly numPages: number;
  getPage(number: number): Promise<PdfPage>;
  getMetadata(): Promise<{ info?: { Title?: unknown } }>;
}

export async function extractPdf(bytes: Uint8Array): Promise<Extracted> {
  // The library needs these only for drawing, which nothing here does. Its own are native code, which a confined
  // process cannot load.
  for (const name of ['DOMMatrix', 'ImageData', 'Path2D']) Reflect.set(globalThis, name, class {});
  const { module, cMaps, fonts } = findPdfReader();
  const pdfjs = (await import(pathToFileURL(module).href)) as {
    getDocument: (options: object) => { promise: Promise<PdfDocument> };
  };
  const options = { isEvalSupported: false, disableFontFace: true, useSystemFonts: false, useWorkerFetch: false };
  const files = { cMapUrl: cMaps, cMapPacked: true, standardFontDataUrl: fonts };
  const builder = newBuilder();
  const empty: number[] = [];
  let pages = 0;
  try {
    const data = new Uint8Array(bytes);
    const document = await pdfjs.getDocument({ data, ...options, ...files, verbosity: 0, maxImageSize: 1 }).promise;
    if (document.numPages > 5_000) refuse('too_large', 'The PDF has more than 5,000 pages', 'Split it.');
    pages = document.numPages;
    const { info } = await document.getMetadata().catch(() => ({ info: undefined }));
    if (typeof info?.Title === 'string') addHeading(builder, 0, info.Title);
    for (let page = 1; page <= pages; page += 1) {
      builder.place = { page };
      const content = await document.getPage(page);
      const paragraphs = [
        ...pageParagraphs((await content.getTextContent()).items),
        ...(await content.getAnnotations()).map(annotationText).filter((text) => text !== ''),
      ];
      for (const paragraph of paragraphs) addInline(builder, paragraph, undefined, 'html');
      if (paragraphs.length === 0) empty.push(page);
      flushText(builder);
      content.cleanup();
    }
  } catch (error) {
    if (error instanceof HelveError) throw error;
    const { name, message } = error as Error;
    if (name === 'PasswordException') refuse('invalid_input', 'The PDF is encrypted', 'Remove its password first.');
    return refuse('invalid_input', `The PDF is broken: ${message}`);
  }
  if (empty.length > 0) builder.notes.push(`${describePages(empty)} no text; scanned pages are not read.`);
  builder.notes.push('Tables and pictures of a PDF are not told apart from its text.');
  return { ...finish(builder), hasNoText: empty.length === pages };
}

/** Returns `Page 7 has`, or `Pages 1–3, 7 have`. */
function describePages(pages: readonly number[]): string {
  const spans: [number, number][] = [];
  for (const page of pages) {
    const last = spans.at(-1);
    if (last && last[1] === page - 1) last[1] = page;
    else spans.push([page, page]);
  }
  const shown = spans.slice(0, 50).map(([first, last]) => (first === last ? `${first}` : `${first}–${last}`));
  const list = `${shown.join(', ')}${spans.length > shown.length ? ', …' : ''}`;
  return pages.length === 1 ? `Page ${list} has` : `Pages ${list} have`;
}

/** A gap between lines begins a paragraph; a word that was divided at the end of a line is joined. */
function pageParagraphs(items: readonly PdfItem[]): string[] {
  const paragraphs: string[] = [];
  let line = '';
  let text = '';
  let below: number | undefined;
  const endLine = (): void => {
    const tidied = tidy(line);
    line = '';
    if (tidied === '') return;
    if (/\p{L}-$/u.test(text) && /^\p{Ll}/u.test(tidied)) text = text.slice(0, -1) + tidied;
    else text += text === '' ? tidied : `\n${tidied}`;
  };
  for (const { str = '', transform, height = 0, hasEOL } of items) {
    const y = transform?.[5];
    if (str.trim() !== '' && y !== undefined) {
      if (below !== undefined && Math.abs(below - y) > Math.max(height, 4) * 1.8) {
        endLine();
        if (text !== '') paragraphs.push(text);
        text = '';
      }
      below = y;
    }
    line += str;
    if (hasEOL) endLine();
  }
  endLine();
  if (text !== '') paragraphs.push(text);
  return paragraphs;
}

/** A field with what is filled in, or a remark. Empty fields, passwords and what is hidden are left out. */
function annotationText(annotation: PdfAnnotation): string {
  const { subtype, annotationFlags = 0, contentsObj, fieldName, alternativeText, fieldValue } = annotation;
  const isHidden = (annotationFlags & 0b100010) !== 0;
  if (isHidden || annotation.password) return '';
  if (subtype !== 'Widget') return subtype === 'Link' || subtype === 'Popup' ? '' : tidy(contentsObj?.str ?? '');
  if (annotation.radioButton && fieldValue !== annotation.buttonValue) return '';
  const given = Array.isArray(fieldValue) ? fieldValue.join(', ') : typeof fieldValue === 'string' ? fieldValue : '';
  const value = annotation.checkBox ? (given === 'Off' ? 'no' : 'yes') : given;
  return value === '' ? '' : tidy(`${alternativeText || fieldName}: ${value}`);
}

/** An image is found by its caption and by its name; it is never decoded. */
export async function extractImage(
  bytes: Uint8Array,
  mediaType: string,
  name: string,
  caption: string | undefined,
): Promise<Extracted> {
  const builder = newBuilder();
  const words = name
    .slice(name.lastIndexOf('/') + 1)
    .replace(/\.[a-z]+$/i, '')
    .replace(/[-_.]+/g, ' ');
  if (mediaType === 'image/svg+xml') {
    const texts = new TextDecoder().decode(bytes).matchAll(/<(title|desc|text|tspan)\b[^<>]*>([^<]+)/gi);
    const inside = [...texts].map(([, , text = '']) => tidy(text)).join(' ');
    addElement(builder, 'image', caption ?? (inside || words), { context: `${words} ${inside}` });
    return finish(builder);
  }
  addElement(builder, 'image', caption ?? words, { context: words });
  if (caption === undefined) builder.notes.push('No caption was given: the image is found by its name only.');
  return finish(builder);
}
