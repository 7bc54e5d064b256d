/** Reads one source by its media type. Runs in a worker, because the source may be hostile. */

import { decodeCharset } from '../decode-charset.js';
import { extractCode } from './code.js';
import type { Element, Extracted } from './elements.js';
import { extractHtml } from './html.js';
import { extractMail } from './mail.js';
import { extractMarkdown, extractText } from './markdown.js';
import { extractDocx, extractPptx, extractXlsx } from './office.js';
import { extractCsv, extractImage, extractPdf } from './plain.js';
import { refuse } from './refuse.js';

export interface ReadRequest {
  readonly bytes: Uint8Array;
  readonly path: string;
  readonly mediaType: string;
  /** For source code only. */
  readonly language: string | undefined;
  readonly caption: string | undefined;
}

export interface ReadAnswer {
  /** The elements as JSON. */
  readonly elements: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly notes: readonly string[];
  /** The texts to embed: each element with its heading. */
  readonly texts: readonly string[];
}

export async function readSource(request: ReadRequest): Promise<ReadAnswer> {
  const { elements, notes } = await extractBy(request);
  const counts: Record<string, number> = {};
  for (const { type } of elements) counts[type] = (counts[type] ?? 0) + 1;
  const texts = elements.map(({ text, place, context }) =>
    [place.heading?.join(' › ') ?? '', text.slice(0, 4_000), context ?? ''].filter(Boolean).join('\n'),
  );
  return { elements: JSON.stringify(elements), counts, notes, texts };
}

export interface TextRequest {
  readonly bytes: Uint8Array;
  /** Of a document: see `findDocument`. */
  readonly mediaType: string;
  readonly maxChars: number;
}

export interface TextAnswer {
  readonly text: string;
  readonly notes: readonly string[];
}

export async function readText({ bytes, mediaType, maxChars }: TextRequest): Promise<TextAnswer> {
  const read = await extractBy({ bytes, mediaType, path: '', language: undefined, caption: undefined });
  if (read.hasNoText)
    refuse('invalid_input', 'The PDF has no text: it may be scanned', 'Run text recognition (OCR) over it first.');
  const text = joinTexts(read.elements);
  if (text.length > maxChars)
    refuse('too_large', `The text of the document has ${text.length} characters; at most ${maxChars} are allowed`);
  return { text, notes: read.notes };
}

/** Formulas and images are left out: they stand in the text around them too, and those of a sheet with their results. */
function joinTexts(elements: readonly Element[]): string {
  const lines: string[] = [];
  let label = '';
  let before: Element | undefined;
  for (const element of elements) {
    if (element.type === 'formula' || element.type === 'image') continue;
    const { place, rows, text } = element;
    const { page, sheet, part } = place;
    const named = [page && `Page ${page}`, sheet && `Sheet ${sheet}`, part].filter(Boolean).join(', ');
    // Each piece of a table begins with the header.
    const continues = named === label && rows !== undefined && rows[0] === before?.rows?.[0];
    const besideTable = element.type === 'table' || before?.type === 'table';
    if (named !== label || (besideTable && !continues)) lines.push('');
    if (named !== label && named !== '') lines.push(`[${named}]`);
    lines.push(continues ? text.slice(text.indexOf('\n') + 1) : text);
    label = named;
    before = element;
  }
  return lines.join('\n').trim();
}

async function extractBy({ bytes, path, mediaType, language, caption }: ReadRequest): Promise<Extracted> {
  if (mediaType.startsWith('image/')) return extractImage(bytes, mediaType, path, caption);
  switch (mediaType) {
    case 'application/pdf':
      return extractPdf(bytes);
    case 'application/vnd.openxmlformats-officedocument.wordprocessingml.document':
      return extractDocx(bytes);
    case 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet':
      return extractXlsx(bytes);
    case 'application/vnd.openxmlformats-officedocument.presentationml.presentation':
      return extractPptx(bytes);
    case 'message/rfc822':
      return extractMail(bytes);
  }
  const text = decodeText(bytes);
  if (language !== undefined) return extractCode(text, language);
  if (mediaType === 'text/markdown') return extractMarkdown(text);
  if (mediaType === 'text/html' || mediaType === 'application/xhtml+xml') return extractHtml(text);
  if (mediaType === 'text/csv' || mediaType === 'text/tab-separated-values') return extractCsv(text);
  return extractText(text);
}

/** UTF-8, or UTF-16 by its byte order mark; other bytes were most likely written on an older Windows. */
function decodeText(bytes: Uint8Array): string {
  const wide =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : undefined;
  if (wide !== undefined) return new TextDecoder(wide).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replaceAll('\0', ' ');
  } catch {
    return (decodeCharset(bytes, 'windows-1252') ?? '').replaceAll('\0', ' ');
  }
}
