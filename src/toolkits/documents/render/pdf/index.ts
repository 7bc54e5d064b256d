/** Writes PDF with pdfkit, block by block. */

import { defined } from '../../../../util/defined.js';
import { requirePackage } from '../../../../util/packages.js';
import { toFlow } from '../flow.js';
import { findFonts } from '../fonts.js';
import { parseInline, plainText } from '../inline.js';
import { colours, headingSize, pageSizes } from '../look.js';
import type { Document, Flow, Item, Run } from '../model.js';
import { writeChart } from './chart.js';
import { needSpace, nextPage, numberPages, openPage, type Page, skip, writeLines, writeText } from './page.js';
import { writeTable } from './table.js';
import { createTypesetter, lineHeight } from './typesetting.js';

const body = { size: 10.5 };

export async function renderPdf(document: Document): Promise<Uint8Array> {
  const Pdf = requirePackage<typeof import('pdfkit')>('pdfkit', 'documents');
  const { title, author, landscape, pageSize, at } = document;
  const doc = new Pdf({
    size: [...pageSizes[pageSize]],
    layout: landscape ? 'landscape' : 'portrait',
    // Otherwise pdfkit would begin a new page by itself where text comes near a margin.
    margin: 0,
    bufferPages: true,
    displayTitle: title !== undefined,
    info: {
      ...defined({ Title: title, Author: author }),
      Creator: 'Helve',
      Producer: 'Helve',
      CreationDate: at,
      ModDate: at,
    },
  });
  const chunks: Buffer[] = [];
  doc.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise((resolve) => doc.once('end', resolve));
  const page = openPage(doc, createTypesetter(doc, findFonts(document.fonts)));
  for (const block of toFlow(document, 'pdf')) writeBlock(page, block);
  numberPages(page);
  doc.end();
  await ended;
  return Buffer.concat(chunks);
}

function writeBlock(page: Page, block: Flow): void {
  switch (block.type) {
    case 'heading':
      writeHeading(page, block);
      break;
    case 'paragraph':
      writeText(page, block.runs, body, { place: `${block.place} (paragraph)` });
      page.y += 7;
      break;
    case 'list':
      writeItems(page, block.items, block.ordered, 0, `${block.place} (list)`);
      page.y += 5;
      break;
    case 'table':
      writeTable(page, block);
      break;
    case 'image':
      writeImage(page, block);
      break;
    case 'chart':
      writeChart(page, block.chart, `${block.place} (chart)`);
      break;
    case 'code':
      writeCode(page, block.text, `${block.place} (code)`);
      break;
    case 'quote':
      writeQuote(page, block.runs, `${block.place} (quote)`);
      break;
    case 'page_break':
      if (page.y > page.top) nextPage(page);
  }
}

type Of<Type extends Flow['type']> = Extract<Flow, { type: Type }>;

function writeHeading(page: Page, { level, runs, place }: Of<'heading'>): void {
  const setting = { size: headingSize(level), bold: true, colour: colours.heading };
  skip(page, setting.size * 0.7);
  // A heading never stands alone at the foot of a page.
  needSpace(page, lineHeight(setting.size) + lineHeight(body.size) * 3);
  page.doc.outline.addItem(plainText(runs));
  writeText(page, runs, setting, { place: `${place} (heading)` });
  page.y += setting.size * 0.3;
}

function writeItems(page: Page, items: readonly Item[], ordered: boolean, depth: number, place: string): void {
  const indent = 18 * (depth + 1) + (ordered ? 4 : 0);
  for (const [index, item] of items.entries()) {
    const label = ordered ? `${index + 1}.` : (['•', '–', '▪'][depth] ?? '•');
    const [mark] = page.type.lines(parseInline(label, place), page.width, body, place);
    const beside = (top: number, first: boolean): void => {
      if (first && mark) page.type.draw(mark, page.left + indent - mark.width - 6, top, body);
    };
    writeText(page, item.runs, body, { indent, place, beside });
    page.y += 2;
    writeItems(page, item.items, ordered, depth + 1, place);
  }
}

function writeImage(page: Page, { picture, percent, alt, place }: Of<'image'>): void {
  const most = page.bottom - page.top - 30;
  // A pixel of the screen is three quarters of a point.
  const wanted = percent === undefined ? picture.width * 0.75 : (page.width * percent) / 100;
  const scale = Math.min(Math.min(wanted, page.width) / picture.width, most / picture.height);
  const [width, height] = [picture.width * scale, picture.height * scale];
  skip(page, 4);
  needSpace(page, height + 20);
  page.doc.image(picture.bytes, page.left, page.y, { width, height });
  page.y += height + 4;
  if (alt) writeText(page, [{ text: alt }], { size: 9, italic: true, colour: colours.muted }, { place });
  page.y += 8;
}

function writeCode(page: Page, text: string, place: string): void {
  const setting = { size: 9, keepSpaces: true };
  const lines = page.type.lines([{ text: text.replace(/\n$/, ''), code: true }], page.width - 20, setting, place);
  // Each line paints below itself, which the next one paints over.
  const beside = (top: number, first: boolean, height: number): void =>
    void page.doc
      .rect(page.left, top - (first ? 5 : 0), page.width, height + (first ? 10 : 5))
      .fill(`#${colours.paper}`);
  page.y += 5;
  writeLines(page, lines, setting, { indent: 10, place, beside });
  page.y += 13;
}

function writeQuote(page: Page, runs: readonly Run[], place: string): void {
  const setting = { size: body.size, italic: true, colour: colours.muted };
  const beside = (top: number, _first: boolean, height: number): void =>
    void page.doc.rect(page.left + 4, top, 2.5, height).fill(`#${colours.border}`);
  page.y += 2;
  writeText(page, runs, setting, { indent: 18, place, beside });
  page.y += 9;
}
