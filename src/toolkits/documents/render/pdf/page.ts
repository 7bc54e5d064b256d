/** The position of the next block on the page, and new pages as they fill up. */
import { colours } from '../look.js';
import type { Run } from '../model.js';
import { type Line, lineHeight, type Setting, type Typesetter } from './typesetting.js';

export interface Page {
  readonly doc: PDFKit.PDFDocument;
  readonly type: Typesetter;
  readonly left: number;
  readonly width: number;
  readonly top: number;
  readonly bottom: number;
  y: number;
}

const margin = 62;

export function openPage(doc: PDFKit.PDFDocument, type: Typesetter): Page {
  const { width, height } = doc.page;
  return { doc, type, left: margin, width: width - 2 * margin, top: margin, bottom: height - margin, y: margin };
}

export function nextPage(page: Page): void {
  page.doc.addPage();
  page.y = page.top;
}

/** Begins a new page unless this much space is left or the page is empty. */
export function needSpace(page: Page, height: number): void {
  if (page.y + height > page.bottom && page.y > page.top) nextPage(page);
}

/** Adds space, except at the head of a page. */
export function skip(page: Page, height: number): void {
  if (page.y > page.top) page.y += height;
}

export interface TextBox {
  readonly indent?: number;
  readonly place: string;
  /** Called with the top of each line and whether it is the first. */
  readonly beside?: (top: number, first: boolean, height: number) => void;
}

export function writeText(page: Page, runs: readonly Run[], setting: Setting, box: TextBox): void {
  const { indent = 0, place } = box;
  writeLines(page, page.type.lines(runs, page.width - indent, setting, place), setting, box);
}

export function writeLines(page: Page, lines: readonly Line[], setting: Setting, box: TextBox): void {
  const height = lineHeight(setting.size);
  for (const [index, line] of lines.entries()) {
    // At least two lines stay at the foot of a page, and at least two go to the head of the next one.
    const together = (index === 0 && lines.length > 1) || index === lines.length - 2 ? 2 : 1;
    needSpace(page, height * together);
    box.beside?.(page.y, index === 0, height);
    page.type.draw(line, page.left + (box.indent ?? 0), page.y, setting);
    page.y += height;
  }
}

/** The number of each page, once it is known how many there are. */
export function numberPages(page: Page): void {
  const { doc, type } = page;
  const { start, count } = doc.bufferedPageRange();
  const setting = { size: 8.5, colour: colours.muted };
  for (let index = start; index < start + count; index += 1) {
    doc.switchToPage(index);
    const [line] = type.lines([{ text: `${index + 1} / ${count}` }], page.width, setting, 'the page number');
    if (line) type.draw(line, page.left + page.width - line.width, page.bottom + 22, setting);
  }
}
