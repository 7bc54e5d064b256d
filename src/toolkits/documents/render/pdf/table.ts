/**
 * Draws tables: columns as wide as their content needs, a header on each page, and rows that continue on the next page.
 */
import { numericColumns } from '../columns.js';
import { colours } from '../look.js';
import type { Cell, Table } from '../model.js';
import { refuse } from '../refuse.js';
import { needSpace, nextPage, type Page, skip, writeText } from './page.js';
import { type Line, lineHeight, type Setting } from './typesetting.js';

const padding = { x: 6, y: 4 };
const cellSetting: Setting = { size: 9.5 };
const headSetting: Setting = { size: 9.5, bold: true, colour: colours.heading };
/** Number of rows that are looked at; more would hardly change the widths of the columns. */
const sample = 300;

type Row = readonly (readonly Line[])[];

export function writeTable(page: Page, table: Table): void {
  const widths = columnWidths(page, table);
  const splitLines = (cells: readonly Cell[], setting: Setting): Row =>
    cells.map(({ runs }, column) =>
      page.type.lines(runs, (widths[column] ?? 0) - 2 * padding.x, setting, `${table.place} (table)`),
    );
  skip(page, 6);
  const head = table.header && splitLines(table.header, headSetting);
  const heightOfHead = head ? rowHeight(head) : 0;
  if (heightOfHead > (page.bottom - page.top) / 2) {
    refuse(`${table.place} has a header that takes half a page`, 'Shorten the header or use fewer columns.');
  }
  needSpace(page, heightOfHead + lineHeight(cellSetting.size) * 2 + padding.y * 2);
  const numeric = numericColumns(table);
  const drawHead = (): void => {
    if (head) drawRow(page, { row: head, widths, numeric, setting: headSetting, shade: true });
  };
  drawHead();
  for (const cells of table.rows) {
    let row: Row | undefined = splitLines(cells, cellSetting);
    while (row) {
      const left = page.bottom - page.y;
      if (rowHeight(row) <= left) {
        drawRow(page, { row, widths, numeric, setting: cellSetting });
        row = undefined;
        continue;
      }
      const whole = page.bottom - page.top - heightOfHead;
      // A row that is too high for any page is cut; one that fits on the next page goes there.
      const fits = Math.floor((left - 2 * padding.y) / lineHeight(cellSetting.size));
      if (rowHeight(row) > whole && fits >= 2) {
        const cut: Row = row;
        drawRow(page, { row: cut.map((lines) => lines.slice(0, fits)), widths, numeric, setting: cellSetting });
        row = cut.map((lines) => lines.slice(fits));
      }
      nextPage(page);
      drawHead();
    }
  }
  if (table.caption) {
    page.y += 4;
    writeText(page, table.caption, { size: 9, italic: true, colour: colours.muted }, { place: table.place });
  }
  page.y += 10;
}

const rowHeight = (row: Row): number =>
  Math.max(1, ...row.map((lines) => lines.length)) * lineHeight(cellSetting.size) + 2 * padding.y;

function drawRow(page: Page, { row, widths, numeric, setting, shade }: DrawnRow): void {
  const { doc } = page;
  const height = rowHeight(row);
  let x = page.left;
  for (const [column, lines] of row.entries()) {
    const width = widths[column] ?? 0;
    if (shade) doc.rect(x, page.y, width, height).fill(`#${colours.shade}`);
    for (const [index, line] of lines.entries()) {
      const free = width - 2 * padding.x - line.width;
      const indent = padding.x + (numeric[column] ? Math.max(0, free) : 0);
      page.type.draw(line, x + indent, page.y + padding.y + index * lineHeight(setting.size), setting);
    }
    doc.lineWidth(0.6).rect(x, page.y, width, height).stroke(`#${colours.border}`);
    x += width;
  }
  page.y += height;
}

interface DrawnRow {
  readonly row: Row;
  readonly widths: readonly number[];
  readonly numeric: readonly boolean[];
  readonly setting: Setting;
  readonly shade?: boolean;
}

function columnWidths(page: Page, table: Table): number[] {
  const { columns, place } = table;
  const narrowest = 2 * padding.x + 14;
  if (columns * narrowest > page.width) {
    const hint = 'Use orientation landscape, fewer columns, or format xlsx.';
    refuse(`${place} has ${columns} columns, too many for the width of the page`, hint);
  }
  if (table.widths) return spread(table.widths, page.width, narrowest);
  const wanted = Array.from({ length: columns }, (_, column) => {
    let [whole, word] = [narrowest, narrowest];
    const look = (cell: Cell | undefined, setting: Setting): void => {
      if (!cell) return;
      const extent = page.type.extent(cell.runs, setting, `${place} (table)`);
      whole = Math.max(whole, extent.whole + 2 * padding.x + 1);
      word = Math.max(word, extent.word + 2 * padding.x + 1);
    };
    look(table.header?.[column], headSetting);
    for (const row of table.rows.slice(0, sample)) look(row[column], cellSetting);
    return { whole, word: Math.min(word, page.width * 0.4) };
  });
  const whole = wanted.reduce((sum, column) => sum + column.whole, 0);
  if (whole <= page.width) return wanted.map((column) => (column.whole * page.width) / whole);
  const words = wanted.reduce((sum, column) => sum + column.word, 0);
  if (words >= page.width)
    return spread(
      wanted.map(({ word }) => word),
      page.width,
      narrowest,
    );
  const part = (page.width - words) / (whole - words);
  return wanted.map((column) => column.word + (column.whole - column.word) * part);
}

/** Scales widths in these proportions, but keeps each wide enough to be readable. */
function spread(parts: readonly number[], width: number, narrowest: number): number[] {
  const sum = parts.reduce((all, part) => all + part, 0);
  const free = width - narrowest * parts.length;
  return parts.map((part) => narrowest + (free * part) / sum);
}
