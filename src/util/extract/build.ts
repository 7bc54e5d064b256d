/**
 * Divides text into pieces of a readable size that end where a paragraph, a line or a sentence ends; no word is lost.
 */

import type { Element, ElementType, Extracted, Place } from './elements.js';
import type { Builder, Lines, TableFacts, TableRow } from './model.js';
import { refuse } from './refuse.js';

export function newBuilder(): Builder {
  return { elements: [], notes: [], heading: [], levels: [], place: {}, pending: [], pendingChars: 0 };
}

export function finish(builder: Builder): Extracted {
  flushText(builder);
  if (builder.elements.length > 50_000) {
    refuse('too_large', 'The source has more than 50,000 elements', 'Split it.');
  }
  return { elements: builder.elements, notes: [...new Set(builder.notes)] };
}

export function tidy(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** A heading is text too: it opens the piece that follows it. */
export function addHeading(builder: Builder, level: number, text: string, line?: number): void {
  flushText(builder);
  const title = tidy(text);
  if (title === '') return;
  const keep = builder.levels.findIndex((open) => open >= level);
  const depth = keep < 0 ? builder.levels.length : keep;
  builder.levels = [...builder.levels.slice(0, depth), level];
  builder.heading = [...builder.heading.slice(0, depth), title.slice(0, 300)];
  addParagraph(builder, title, line === undefined ? undefined : [line, line]);
}

export function addParagraph(builder: Builder, text: string, lines?: Lines): void {
  if (text.trim() === '') return;
  if (text.length > 1_600) {
    for (const piece of splitPieces(text, lines)) addPiece(builder, piece.text, piece.lines);
  } else addPiece(builder, text.trim(), lines);
}

function addPiece(builder: Builder, text: string, lines: Lines): void {
  if (builder.pendingChars > 0 && builder.pendingChars + text.length > 1_600) flushText(builder);
  builder.pending.push({ text, lines });
  builder.pendingChars += text.length;
  if (builder.pendingChars >= 1_200) flushText(builder);
}

/** Cuts by lines if the lines of the text are those of the source, else at the end of a sentence or of a word. */
function splitPieces(text: string, lines: Lines): { text: string; lines: Lines }[] {
  const rows = text.split('\n');
  const pieces: { text: string; lines: Lines }[] = [];
  rows.forEach((row, index) => {
    const at: Lines = lines && [Math.min(lines[0] + index, lines[1]), Math.min(lines[0] + index, lines[1])];
    let rest = row.trim();
    while (rest.length > 1_600) {
      const head = rest.slice(0, 1_600);
      const end = Math.max(head.lastIndexOf('. '), head.lastIndexOf('。'));
      let cut = end > 600 ? end + 1 : head.lastIndexOf(' ');
      if (cut < 600) cut = /[\ud800-\udbff]$/.test(head) ? 1_599 : 1_600;
      pieces.push({ text: rest.slice(0, cut).trim(), lines: at });
      rest = rest.slice(cut).trim();
    }
    if (rest !== '') pieces.push({ text: rest, lines: at });
  });
  return pieces;
}

export function flushText(builder: Builder): void {
  const { pending } = builder;
  if (pending.length === 0) return;
  builder.pending = [];
  builder.pendingChars = 0;
  const placed = pending.flatMap(({ lines }) => (lines ? [lines] : []));
  const [first] = placed;
  const last = placed.at(-1);
  const text = pending.map((piece) => piece.text).join('\n');
  addElement(builder, 'text', text, {}, first && last && [first[0], last[1]]);
}

export function addElement(
  builder: Builder,
  type: ElementType,
  text: string,
  more: Partial<Element> = {},
  lines?: Lines,
): void {
  if (text.trim() === '') return;
  const place: Place = {
    ...builder.place,
    ...(lines && { lines }),
    ...(builder.heading.length > 0 && { heading: builder.heading }),
    ...more.place,
  };
  const context = more.context === undefined ? undefined : tidy(more.context).slice(0, 600);
  builder.elements.push({ type, text, ...more, ...(context ? { context } : {}), place });
}

/** Divides large tables into pieces, each with the header. */
export function addTable(builder: Builder, { header, rows, caption, placeOf }: TableFacts): void {
  flushText(builder);
  const getLine = ({ cells }: TableRow): string => {
    const texts = cells.map(tidy);
    while (texts.at(-1) === '') texts.pop();
    return texts.join(' | ');
  };
  const title = header ? getLine(header).slice(0, 2_000) : '';
  let piece: TableRow[] = [];
  let chars = 0;
  const flush = (): void => {
    const kept = piece.filter((row) => getLine(row) !== '');
    if (kept.length === 0 && title === '') return;
    const shown = header && title !== '' ? [header, ...kept] : kept;
    const numbers = shown.flatMap(({ row }) => (row === undefined ? [] : [row]));
    const place = placeOf?.(kept[0]?.row ?? header?.row, kept.at(-1)?.row ?? header?.row) ?? {};
    addElement(builder, 'table', [...(title === '' ? [] : [title]), ...kept.map(getLine)].join('\n'), {
      place,
      ...(numbers.length === shown.length && numbers.length > 0 ? { rows: numbers } : {}),
      ...(caption === undefined || caption === '' ? {} : { context: caption }),
    });
    piece = [];
    chars = 0;
  };
  for (const row of rows) {
    piece.push(row);
    chars += getLine(row).length;
    if (piece.length >= 40 || chars > 2_000) flush();
  }
  if (piece.length > 0 || rows.length === 0) flush();
}
