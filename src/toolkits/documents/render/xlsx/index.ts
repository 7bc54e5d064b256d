/**
 * Writes Excel files with `exceljs`. A sheet becomes a sheet; a table and a chart get a sheet of their own, where the
 * chart is a native one beside its numbers (put into the package afterwards, because the library cannot write charts);
 * texts become the rows of a sheet.
 */
import type ExcelJS from 'exceljs';
import { requirePackage } from '../../../../util/packages.js';
import { numericColumns } from '../columns.js';
import { plainText } from '../inline.js';
import { colours, headingSize } from '../look.js';
import type { ColumnFormat, Document, Flow, Item, Run, Sheet, SheetCell, Table } from '../model.js';
import { refuse } from '../refuse.js';
import { type DrawnChart, finishWorkbook } from './charts.js';
import { createNames, type Names } from './names.js';
import { bodyFont, fitting, type Look, measureHeight, richLength, richText, textWidth } from './texts.js';

interface Book {
  readonly workbook: ExcelJS.Workbook;
  readonly document: Document;
  readonly names: Names;
  readonly charts: DrawnChart[];
  /** The sheet for texts, created with the first text. */
  texts: ExcelJS.Worksheet | undefined;
}

const fill = { type: 'pattern', pattern: 'solid', fgColor: { argb: `FF${colours.shade}` } } as const;
const thin = { style: 'thin', color: { argb: `FF${colours.border}` } } as const;
const headFont = { bold: true, color: { argb: `FF${colours.heading}` }, name: 'Arial', size: 10 };

const formats: Readonly<Record<string, string>> = {
  text: '@',
  integer: '#,##0',
  number: '#,##0.00',
  percent: '0.0%',
  date: 'yyyy-mm-dd',
  datetime: 'yyyy-mm-dd hh:mm',
};

export async function renderXlsx(document: Document): Promise<Uint8Array> {
  const { Workbook } = requirePackage<typeof ExcelJS>('exceljs', 'documents');
  const workbook = new Workbook();
  const { title, author, at } = document;
  if (title !== undefined) workbook.title = title;
  Object.assign(workbook, { creator: author ?? '', lastModifiedBy: author ?? '', created: at, modified: at });
  // The program that opens the file calculates the formulas.
  workbook.calcProperties.fullCalcOnLoad = true;
  const book: Book = { workbook, document, names: createNames(document), charts: [], texts: undefined };
  for (const block of document.blocks) {
    if (block.type === 'slide') {
      refuse(`${block.place} is a slide, which an xlsx cannot hold`, 'Write a sheet, or use format pptx.');
    } else if (block.type === 'sheet') addSheet(book, block);
    else addFlow(book, block);
  }
  return finishWorkbook(new Uint8Array(await workbook.xlsx.writeBuffer()), book.charts);
}

function open(book: Book, name: string): ExcelJS.Worksheet {
  const fit = {
    fitToPage: true,
    fitToWidth: 1,
    fitToHeight: 0,
    paperSize: book.document.pageSize === 'a4' ? 9 : undefined,
  };
  return book.workbook.addWorksheet(name, {
    pageSetup: { ...fit, orientation: book.document.landscape ? 'landscape' : 'portrait' } as ExcelJS.PageSetup,
  });
}

function styleCell(cell: ExcelJS.Cell, value: SheetCell, format: ColumnFormat | undefined): void {
  cell.font = bodyFont;
  const numbers = formats[format ?? 'general'];
  if (isDate(value)) cell.numFmt = dateFormat(value.date, format);
  else if (numbers !== undefined && typeof value !== 'boolean') cell.numFmt = numbers;
  if (typeof value === 'string' && value.includes('\n')) cell.alignment = { wrapText: true, vertical: 'top' };
}

function addSheet(book: Book, { name, columns, rows, freeze, place }: Sheet): void {
  const sheet = open(book, name);
  if (columns) sheet.addRow(columns.map(({ header }) => header));
  for (const [at, row] of rows.entries()) {
    const added = sheet.addRow(row.map(cellValue));
    for (const [column, value] of row.entries()) styleCell(added.getCell(column + 1), value, columns?.[column]?.format);
    if (at + 1 > 1_048_575) refuse(`${place} has more rows than a sheet holds`, 'Split it.', 'too_large');
  }
  const wide = Math.max(
    columns?.length ?? 0,
    rows.reduce((most, row) => Math.max(most, row.length), 0),
  );
  for (let column = 0; column < wide; column += 1) {
    const width =
      columns?.[column]?.width ??
      fitting([columns?.[column]?.header ?? '', ...rows.slice(0, 500).map((row) => shown(row[column]))]);
    sheet.getColumn(column + 1).width = width;
  }
  const right = columns?.map((_, column) => rows.length > 0 && rows.every((row) => toTheRight(row[column])));
  if (columns) styleHead(sheet, columns.length, { freeze, right });
}

/** Values that programs align to the right, and empty cells. */
const toTheRight = (value: SheetCell | undefined): boolean =>
  value === null || value === undefined || typeof value === 'number' || typeof value === 'object';

const isDate = (value: SheetCell): value is { readonly date: Date } =>
  typeof value === 'object' && value !== null && 'date' in value;

function dateFormat(date: Date, format: string | undefined): string {
  const whole = date.getTime() % 86_400_000 === 0;
  return (format === 'datetime' || (!whole && format !== 'date') ? formats.datetime : formats.date) ?? '';
}

/** A text that begins with `=` or another sign stays a text: only `{ formula }` is ever written as a formula. */
function cellValue(value: SheetCell): ExcelJS.CellValue {
  if (typeof value !== 'object' || value === null) return value;
  return 'date' in value ? value.date : ({ formula: value.formula } as ExcelJS.CellFormulaValue);
}

const shown = (value: SheetCell | undefined): string =>
  typeof value === 'object' ? '0000-00-00' : String(value ?? '');

interface Head {
  readonly freeze: boolean;
  readonly right?: readonly boolean[] | undefined;
}

function styleHead(sheet: ExcelJS.Worksheet, columns: number, { freeze, right }: Head): void {
  for (let column = 1; column <= columns; column += 1) {
    const cell = sheet.getRow(1).getCell(column);
    Object.assign(cell, {
      font: headFont,
      fill,
      border: { bottom: thin },
      alignment: { vertical: 'middle', wrapText: true, ...(right?.[column - 1] ? { horizontal: 'right' } : {}) },
    });
  }
  if (freeze) sheet.views = [{ state: 'frozen', ySplit: 1 }];
  sheet.pageSetup.printTitlesRow = '1:1';
}

function addFlow(book: Book, block: Flow): void {
  const { place } = block;
  switch (block.type) {
    case 'table':
      addTable(book, block);
      break;
    case 'chart':
      addChart(book, block);
      break;
    case 'image':
      refuse(`${place} is a picture, which an xlsx made here cannot hold`, 'Use format docx, pdf or pptx for it.');
      break;
    case 'page_break':
      refuse(`${place} is a page break, which a workbook does not have`, 'Leave it out, or write several sheets.');
      break;
    case 'list':
      addItems(book, block.items, block.ordered, 0, place);
      break;
    case 'code':
      addText(book, [{ text: block.text, code: true }], {}, place);
      break;
    case 'quote':
      addText(book, block.runs, { italic: true }, place);
      break;
    case 'heading':
      addText(book, block.runs, { bold: true, size: headingSize(block.level) - 2 }, place);
      break;
    case 'paragraph':
      addText(book, block.runs, {}, place);
      break;
  }
}

function addItems(book: Book, items: readonly Item[], ordered: boolean, depth: number, place: string): void {
  for (const [index, item] of items.entries()) {
    const mark = ordered ? `${index + 1}. ` : '• ';
    addText(book, [{ text: '    '.repeat(depth) + mark }, ...item.runs], {}, place);
    addItems(book, item.items, ordered, depth + 1, place);
  }
}

function addText(book: Book, runs: readonly Run[], look: Look, place: string): void {
  if (!book.texts) {
    book.texts = open(book, book.names.free('Text'));
    book.texts.getColumn(1).width = textWidth;
    book.document.notes.push(`${place}: headings, texts and lists are rows of the sheet “${book.texts.name}”.`);
  }
  const row = book.texts.addRow(['']);
  const cell = row.getCell(1);
  cell.value = richText(runs, look, place);
  cell.alignment = { wrapText: true, vertical: 'top' };
  row.height = measureHeight([richLength(cell.value)], [textWidth], look.size ?? 10);
}

function addTable(book: Book, table: Table): void {
  const { header, rows, caption, columns, place } = table;
  const name = book.names.free(plainText(caption ?? []) || 'Table');
  const sheet = open(book, name);
  book.document.notes.push(`${place}: the table is the sheet “${name}”.`);
  const widths = Array.from({ length: columns }, (_, column) =>
    fitting(
      [header?.[column], ...rows.slice(0, 500).map((row) => row[column])].map((cell) => plainText(cell?.runs ?? [])),
    ),
  );
  for (const [column, width] of widths.entries()) sheet.getColumn(column + 1).width = width;
  if (header) sheet.addRow(header.map(({ runs }) => plainText(runs)));
  for (const row of rows) {
    const added = sheet.addRow([]);
    added.height = measureHeight(
      row.map(({ runs }) => plainText(runs)),
      widths,
      10,
    );
    for (const [column, { runs, numeric }] of row.entries()) {
      const cell = added.getCell(column + 1);
      cell.alignment = { wrapText: true, vertical: 'top' };
      if (numeric) Object.assign(cell, { value: Number(plainText(runs)), font: bodyFont });
      else if (runs.length > 0) cell.value = richText(runs, {}, place);
    }
  }
  if (header) styleHead(sheet, columns, { freeze: true, right: numericColumns(table) });
  // Names of sheets must be short, and captions can be long.
  if (caption && name !== plainText(caption))
    sheet.addRow([]).getCell(1).value = richText(caption, { italic: true }, place);
}

function addChart(book: Book, { chart, place }: Extract<Flow, { type: 'chart' }>): void {
  const name = book.names.free(chart.title ?? 'Chart');
  const sheet = open(book, name);
  book.document.notes.push(`${place}: the chart is on the sheet “${name}”, beside its numbers.`);
  sheet.addRow([chart.kind === 'scatter' ? 'x' : '', ...chart.series.map((series) => series.name)]);
  for (const [index, category] of chart.categories.entries()) {
    const row = sheet.addRow([category, ...chart.series.map(({ values }) => values[index] ?? null)]);
    row.font = bodyFont;
  }
  sheet.getColumn(1).width = fitting(chart.categories.map(String));
  for (const [index, series] of chart.series.entries()) sheet.getColumn(index + 2).width = fitting([series.name]);
  styleHead(sheet, chart.series.length + 1, { freeze: true, right: [false, ...chart.series.map(() => true)] });
  book.charts.push({ sheet: name, position: book.workbook.worksheets.length, chart });
}
