/** Reads the slides of a presentation in their order: titles, texts, tables and the notes of the speaker. */

import { addHeading, addParagraph, addTable, finish, flushText, newBuilder } from './build.js';
import type { Extracted } from './elements.js';
import type { Builder, TableRow } from './model.js';
import { listRelations, plainXml, readAttribute, readMain, readPart } from './workbook.js';

type Files = Readonly<Record<string, Uint8Array>>;

/** `files`: the checked parts of the archive. Throws `invalid_input` if it has no presentation. */
export function extractSlides(files: Files): Extracted {
  const { content: presentation, relations } = readMain(files, 'PPTX', 'presentation');
  const builder = newBuilder();
  let page = 0;
  for (const [, attributes = ''] of presentation.matchAll(/<sldId\s([^<>]*)>/g)) {
    const relation = relations.find(({ id }) => id === readAttribute(attributes, '[\\w.-]+:id'));
    const slide = relation && readPart(files, relation.target);
    if (relation === undefined || slide === undefined) continue;
    page += 1;
    builder.place = { page };
    builder.heading = [];
    builder.levels = [];
    addShapes(builder, slide);
    flushText(builder);
    if (/^[^<]*(?:<\?[^<>]*>\s*)?<sld\s[^<>]*\bshow="(?:0|false)"/.test(slide))
      builder.notes.push(`Slide ${page} is hidden.`);
    if (/\/drawingml\/2006\/(?:chart|diagram)"/.test(slide))
      builder.notes.push(`Charts and diagrams of slide ${page} are not read.`);
    for (const { kind, target } of listRelations(files, relation.target)) {
      if (kind !== 'notesSlide') continue;
      builder.place = { page, part: 'notes' };
      addShapes(builder, readPart(files, target) ?? '');
      flushText(builder);
    }
  }
  return finish(builder);
}

/** Numbers, dates and footers are on every slide and say nothing. */
const empty = /^(?:sldNum|dt|ftr|hdr|sldImg)$/;

/** Paragraphs and tables, in the order of the part. A title becomes a heading. */
function addShapes(builder: Builder, xml: string): void {
  const tokens =
    /<a:t(?:\s[^<>]*)?>([^<]*)<\/a:t>|<(sp|graphicFrame)[\s>]|<ph\s([^<>]*)>|<(a:br)\b|<(\/a:p|\/a:tc|\/a:tr|a:tbl|\/a:tbl)>/g;
  let shape = '';
  let paragraph = '';
  let cell: string[] = [];
  let cells: string[] = [];
  let rows: TableRow[] | undefined;
  const endParagraph = (): void => {
    const text = paragraph.trim();
    paragraph = '';
    if (text === '' || empty.test(shape)) return;
    if (rows) cell.push(text);
    else if (/^(?:title|ctrTitle)$/.test(shape)) addHeading(builder, 1, text);
    else addParagraph(builder, text);
  };
  const ends: Readonly<Record<string, () => void>> = {
    '/a:p': endParagraph,
    '/a:tc': () => {
      cells.push(cell.join(' '));
      cell = [];
    },
    '/a:tr': () => {
      rows?.push({ cells });
      cells = [];
    },
    'a:tbl': () => {
      rows = [];
    },
    '/a:tbl': () => {
      const [header, ...others] = rows ?? [];
      rows = undefined;
      if (header) addTable(builder, { header, rows: others });
    },
  };
  for (const [, text, opensShape, placeholder, breaks, end] of xml.matchAll(tokens)) {
    if (text !== undefined) paragraph += tidyRun(plainXml(text));
    else if (breaks !== undefined) paragraph += '\n';
    else if (opensShape !== undefined) shape = '';
    else if (placeholder !== undefined) shape = readAttribute(placeholder, 'type') ?? '';
    else if (end !== undefined) ends[end]?.();
  }
}

/** Runs keep the spaces between them. */
const tidyRun = (text: string): string => text.replaceAll(/\s+/g, ' ');
