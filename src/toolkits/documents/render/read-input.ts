/**
 * Turns the input into a document. Everything whose content is invalid in any format is refused here, with its place in
 * the input; totals are limited here too, since a schema limits only each part.
 */
import { parseInline } from './inline.js';
import type { Block, Cell, Chart, Document, DocumentInput, Flow, Item, RenderRequest, Run, Table } from './model.js';
import { readPicture } from './pictures.js';
import { readSheet } from './read-sheet.js';
import { getName, refuse } from './refuse.js';

type InputBlock = DocumentInput['content'][number];
type InputOf<Type extends InputBlock['type']> = Extract<InputBlock, { type: Type }>;
type InputItem = string | { readonly text: string; readonly items?: readonly InputItem[] | undefined };

const most = { characters: 3_000_000, cells: 200_000, pictures: 60, points: 20_000 };

export function readInput({ input, fonts, at }: RenderRequest): Document {
  checkTexts(input, '');
  const blocks = input.content.map((block, index) => readBlock(block, `content[${index}]`));
  checkSums(blocks);
  return {
    title: input.title || undefined,
    author: input.author || undefined,
    blocks,
    landscape: input.options?.orientation === 'landscape',
    pageSize: input.options?.page_size ?? 'a4',
    at: new Date(at),
    fonts,
    notes: [],
  };
}

/** Characters that XML cannot hold are impossible in Office files, and no page shows them. */
function checkTexts(value: unknown, place: string): number {
  if (typeof value === 'string') {
    const [bad] = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/u.exec(value) ?? [];
    if (bad === undefined) return value.length;
    refuse(`${place} holds the character ${getName(bad)}, which no document can hold`, 'Leave it out.');
  }
  if (typeof value !== 'object' || value === null) return 0;
  let characters = 0;
  const inList = Array.isArray(value);
  for (const [key, part] of Object.entries(value)) {
    if (key !== 'data_base64')
      characters += checkTexts(part, inList ? `${place}[${key}]` : place ? `${place}.${key}` : key);
  }
  if (characters > most.characters) refuseSum('characters of text', most.characters);
  return characters;
}

function refuseSum(what: string, limit: number): never {
  return refuse(`The document has more than ${limit} ${what}`, 'Split it into several documents.', 'too_large');
}

function checkSums(blocks: readonly Block[]): void {
  const all = blocks.flatMap((block): readonly Block[] => (block.type === 'slide' ? block.blocks : [block]));
  let [cells, pictures, points] = [0, 0, 0];
  for (const block of all) {
    if (block.type === 'table') cells += block.columns * (block.rows.length + 1);
    if (block.type === 'sheet') cells += block.rows.reduce((sum, row) => sum + row.length, 0);
    if (block.type === 'image') pictures += 1;
    if (block.type === 'chart') points += block.chart.categories.length * block.chart.series.length;
  }
  if (cells > most.cells) refuseSum('cells', most.cells);
  if (pictures > most.pictures) refuseSum('pictures', most.pictures);
  if (points > most.points) refuseSum('values in charts', most.points);
}

function readBlock(block: InputBlock, place: string): Block {
  if (block.type === 'sheet') return readSheet(block, place);
  if (block.type !== 'slide') return readFlow(block, place);
  return {
    type: 'slide',
    place,
    layout: block.layout ?? 'content',
    title: parseInline(block.title, `${place}.title`),
    subtitle: block.subtitle === undefined ? undefined : parseInline(block.subtitle, `${place}.subtitle`),
    blocks: (block.blocks ?? []).map((inner, index) => readFlow(inner, `${place}.blocks[${index}]`)),
    notes: block.notes || undefined,
  };
}

function readFlow(block: Exclude<InputBlock, { type: 'sheet' | 'slide' }>, place: string): Flow {
  const runs = (text: string): Run[] => parseInline(text, `${place} (${block.type})`);
  switch (block.type) {
    case 'heading':
      return { type: 'heading', place, level: block.level ?? 1, runs: runs(block.text) };
    case 'paragraph':
    case 'quote':
      return { type: block.type, place, runs: runs(block.text) };
    case 'list':
      return {
        type: 'list',
        place,
        ordered: block.ordered ?? false,
        items: block.items.map((item) => readItem(item, runs)),
      };
    case 'table':
      return readTable(block, place, runs);
    case 'image': {
      const width = block.width === undefined ? {} : { percent: block.width };
      return { type: 'image', place, picture: readPicture(block.data_base64, place), alt: block.alt, ...width };
    }
    case 'chart':
      return { type: 'chart', place, chart: readChart(block, place) };
    case 'code':
      return { type: 'code', place, text: block.text };
    case 'page_break':
      return { type: 'page_break', place };
  }
}

function readItem(item: InputItem, runs: (text: string) => Run[]): Item {
  if (typeof item === 'string') return { runs: runs(item), items: [] };
  return { runs: runs(item.text), items: (item.items ?? []).map((inner) => readItem(inner, runs)) };
}

function readTable(block: InputOf<'table'>, place: string, runs: (text: string) => Run[]): Table {
  const { header, rows, column_widths: widths, caption } = block;
  const columns = rows.reduce((longest, row) => Math.max(longest, row.length), header?.length ?? 0);
  if (columns === 0) refuse(`${place} is a table without any column`, 'Give a header or a row.');
  if (header && header.length < columns) {
    refuse(`${place} has rows of ${columns} cells under a header of ${header.length}`, 'Give each column a header.');
  }
  if (widths && widths.length !== columns) {
    refuse(`${place} has ${columns} columns and ${widths.length} column_widths`, 'Give one width for each column.');
  }
  const fill = <Value>(row: readonly Value[], empty: Value): Value[] =>
    row.length < columns ? [...row, ...Array<Value>(columns - row.length).fill(empty)] : [...row];
  const getCell = (value: string | number | boolean | null): Cell => {
    if (typeof value === 'string') return { runs: runs(value), numeric: false };
    return { runs: value === null ? [] : [{ text: String(value) }], numeric: typeof value === 'number' };
  };
  return {
    type: 'table',
    place,
    columns,
    widths,
    header: header && fill(header, '').map(getCell),
    rows: rows.map((row) => fill(row, null).map(getCell)),
    caption: caption ? runs(caption) : undefined,
  };
}

function readChart({ kind, title, categories, series }: InputOf<'chart'>, place: string): Chart {
  const odd = series.find(({ values }) => values.length !== categories.length);
  if (odd) {
    const problem = `${place}: the series “${odd.name}” has ${odd.values.length} values for ${categories.length} categories`;
    refuse(problem, 'Give each series one value for each category.');
  }
  if (kind === 'pie' && (series.length > 1 || series[0]?.values.some((value) => value < 0))) {
    refuse(`${place}: a pie shows one series without negative values`, 'Use a bar chart.');
  }
  if (kind === 'pie' && series[0]?.values.every((value) => value === 0)) {
    refuse(`${place}: a pie of zeros shows nothing`, 'Give a value greater than 0.');
  }
  if (kind === 'scatter' && categories.some((category) => typeof category !== 'number')) {
    refuse(`${place}: the categories of a scatter chart are x values`, 'Give numbers, or use a line chart.');
  }
  return { kind, title: title || undefined, categories, series };
}
