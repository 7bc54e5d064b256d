/**
 * Writes PowerPoint with `pptxgenjs`. Content outside of slides begins a new slide at each heading of level 1 or 2;
 * content that does not fit continues on another slide.
 */
import { requirePackage } from '../../../../util/packages.js';
import { findFonts } from '../fonts.js';
import { colours } from '../look.js';
import type { Document, Flow, Run, Slide } from '../model.js';
import { openPackage } from '../package.js';
import { toTable } from '../read-sheet.js';
import { drawParts } from './draw.js';
import { type Area, area, fitBlocks, type Part } from './fit.js';
import type { PptxGen } from './library.js';
import { createMeasure } from './measure.js';
import { textProps } from './text.js';

export async function renderPptx(document: Document): Promise<Uint8Array> {
  // The package's types describe a module in a form that differs from the one that Node loads.
  const Library = requirePackage<new () => PptxGen>('pptxgenjs', 'documents');
  const deck = new Library();
  deck.layout = 'LAYOUT_WIDE';
  Object.assign(deck, {
    title: document.title ?? '',
    author: document.author ?? '',
    company: '',
    subject: '',
    revision: '1',
    theme: { headFontFace: 'Arial', bodyFontFace: 'Arial' },
  });
  const measure = createMeasure(findFonts(document.fonts));
  for (const slide of buildSlides(document)) {
    if (slide.layout === 'title') drawTitle(deck, slide);
    const areas = listAreas(slide);
    const pages = slide.layout === 'title' && slide.blocks.length === 0 ? [] : fitBlocks(slide.blocks, areas, measure);
    for (const [index, parts] of pages.entries()) drawSlide(deck, slide, parts, index, pages.length);
    if (pages.length > 1) document.notes.push(`${slide.place}: it fills ${pages.length} slides.`);
  }
  const bytes = (await deck.write({ outputType: 'uint8array', compression: false })) as Uint8Array;
  return finish(bytes, document);
}

function listAreas({ layout, subtitle }: Slide): Area[] {
  const top = subtitle === undefined ? area.top : area.top + 0.4;
  const height = area.bottom - top;
  if (layout !== 'two_columns') return [{ x: area.left, y: top, width: area.width, height }];
  const width = (area.width - 0.5) / 2;
  return [0, 1].map((column) => ({ x: area.left + column * (width + 0.5), y: top, width, height }));
}

function buildSlides({ title, blocks, notes }: Document): Slide[] {
  const slides: Slide[] = [];
  const begin = (runs: readonly Run[], place: string, layout: Slide['layout'] = 'content'): void =>
    void slides.push({ type: 'slide', layout, title: runs, subtitle: undefined, notes: undefined, place, blocks: [] });
  if (title !== undefined && blocks[0]?.type !== 'slide') begin([{ text: title }], 'title', 'title');
  let loose = false;
  const add = (block: Flow): void => {
    const last = slides.at(-1);
    if (!loose || !last) begin(last && last.layout !== 'title' ? last.title : [], block.place);
    loose = true;
    const open = slides.at(-1);
    if (open) slides[slides.length - 1] = { ...open, blocks: [...open.blocks, block] };
  };
  for (const block of blocks) {
    if (block.type === 'slide') {
      slides.push(block);
      loose = false;
    } else if (block.type === 'sheet') {
      notes.push(`${block.place}: the sheet “${block.name}” became a table.`);
      begin([{ text: block.name }], block.place);
      loose = true;
      add(toTable(block, 'pptx'));
    } else if (block.type === 'page_break') loose = false;
    else if (block.type === 'heading' && block.level <= 2) {
      begin(block.runs, block.place);
      loose = true;
    } else add(block);
  }
  return slides;
}

function drawTitle(deck: PptxGen, { title, subtitle, notes, blocks }: Slide): void {
  const slide = deck.addSlide();
  slide.background = { color: colours.heading };
  const box = { x: 0.9, w: 11.5, margin: 0, fontFace: 'Arial' };
  slide.addText(textProps(title, { color: 'FFFFFF' }), {
    ...box,
    y: 2.2,
    h: 1.9,
    fontSize: 40,
    bold: true,
    valign: 'bottom',
    fit: 'shrink',
  });
  if (subtitle)
    slide.addText(textProps(subtitle, { color: 'D5DEE8' }), {
      ...box,
      y: 4.3,
      h: 1.2,
      fontSize: 20,
      valign: 'top',
      fit: 'shrink',
    });
  if (notes !== undefined && blocks.length === 0) slide.addNotes(notes);
}

function drawSlide(
  deck: PptxGen,
  { title, subtitle, notes }: Slide,
  parts: readonly Part[],
  index: number,
  of: number,
): void {
  const slide = deck.addSlide();
  const more = of > 1 && title.length > 0 ? [{ text: ` (${index + 1}/${of})` }] : [];
  const box = { x: area.left, w: area.width, margin: 0, fontFace: 'Arial' };
  const length = title.reduce((sum, run) => sum + run.text.length, 0);
  const fontSize = length > 110 ? 16 : length > 55 ? 20 : 28;
  if (title.length > 0) {
    const runs = textProps([...title, ...more], { color: colours.heading });
    slide.addText(runs, { ...box, y: 0.4, h: 0.8, fontSize, bold: true, valign: 'middle' });
    slide.addShape('line', { x: area.left, y: 1.25, w: area.width, h: 0, line: { color: colours.border, width: 1 } });
  }
  if (subtitle)
    slide.addText(textProps(subtitle, { color: colours.muted }), {
      ...box,
      y: 1.32,
      h: 0.4,
      fontSize: 16,
      valign: 'middle',
    });
  drawParts(deck, slide, parts);
  slide.slideNumber = { x: 12.3, y: 7.0, fontFace: 'Arial', fontSize: 10, color: colours.muted };
  if (notes !== undefined && index === 0) slide.addNotes(notes);
}

/** Fixes what PowerPoint would repair, and replaces the time that the library takes from the clock. */
function finish(bytes: Uint8Array, { at }: Document): Uint8Array {
  const parts = openPackage(bytes);
  const time = at.toISOString().replace(/\.\d+/, '');
  const core = 'docProps/core.xml';
  parts.write(core, parts.text(core).replace(/(<dcterms:(?:created|modified)[^>]*>)[^<]*/g, `$1${time}`));
  for (const path of parts.files.keys()) {
    if (/^ppt\/slides\/slide\d+\.xml$/.test(path)) parts.write(path, onePropertiesEach(parts.text(path)));
  }
  parts.declareOnlyParts();
  return parts.pack();
}

/** The library writes the properties of a paragraph before each of its runs; PowerPoint allows them only once. */
function onePropertiesEach(xml: string): string {
  return xml.replace(/<a:p>[\s\S]*?<\/a:p>/g, (paragraph) => {
    let seen = false;
    return paragraph.replace(/<a:pPr\b(?:[^>]*\/>|[\s\S]*?<\/a:pPr>)/g, (properties) => {
      const kept = seen ? '' : properties;
      seen = true;
      return kept;
    });
  });
}
