/** Reads sheets: typed cells, and formulas that only calculate. Also turns them into tables for other formats. */
import type { Cell, ColumnFormat, DocumentInput, Sheet, SheetCell, Table } from './model.js';
import { refuse } from './refuse.js';

type InputSheet = Extract<DocumentInput['content'][number], { type: 'sheet' }>;
type InputCell = InputSheet['rows'][number][number];

export function readSheet(block: InputSheet, place: string): Sheet {
  const { name, columns, rows } = block;
  if (/[\\/?*[\]:]/.test(name) || /^'|'$/.test(name) || !name.trim() || /^history$/i.test(name)) {
    refuse(
      `${place}: Excel does not allow the sheet name “${name}”`,
      'Leave out \\ / ? * [ ] : and a quote at the ends.',
    );
  }
  const long = columns ? rows.findIndex((row) => row.length > columns.length) : -1;
  if (columns && long >= 0) {
    const problem = `${place}.rows[${long}] has ${rows[long]?.length} cells for ${columns.length} columns`;
    refuse(problem, 'Give each column a header.');
  }
  return {
    type: 'sheet',
    place,
    name,
    freeze: block.freeze_header ?? true,
    columns: columns?.map((column) => ({ ...column, format: column.format ?? 'general' })),
    rows: rows.map((row, at) => row.map((cell, column) => readCell(cell, `${place}.rows[${at}][${column}]`))),
  };
}

function readCell(cell: InputCell, place: string): SheetCell {
  if (typeof cell === 'string' && cell.length > 32_767) {
    refuse(`${place} is longer than a cell can be (32,767 characters)`, 'Split it.', 'too_large');
  }
  if (typeof cell !== 'object' || cell === null) return cell;
  if ('formula' in cell) return { formula: readFormula(cell.formula, place) };
  const [, day, time] = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(?:\.\d+)?Z?)?$/.exec(cell.date) ?? [];
  const date = new Date(`${day}T${time ?? '00:00'}Z`);
  // `Date` moves the 31st of February to March, and Excel counts from 1900.
  if (day !== undefined && date.getTime() >= Date.UTC(1900, 2, 1) && date.toISOString().startsWith(day))
    return { date };
  return refuse(
    `${place}: “${cell.date}” is not a date that a sheet can hold`,
    'Write 2026-03-14 or 2026-03-14T09:30:00.',
  );
}

/** Functions that fetch, call or start something; everything else only calculates. */
const reaching =
  /\b(WEBSERVICE|FILTERXML|HYPERLINK|IMAGE|RTD|DDE|DDEAUTO|CALL|REGISTER(?:\.ID)?|EXEC|EVALUATE|SQL\.REQUEST|CUBE\w*|STOCKHISTORY|TRANSLATE|DETECTLANGUAGE|PY|COPILOT|INDIRECT|INFO|CELL|IMPORT\w+)\s*\(/i;

function readFormula(given: string, place: string): string {
  const formula = given.trim().replace(/^=/, '').trim();
  const code = formula.replace(/"(?:[^"]|"")*"/g, '""');
  const [, reach] = reaching.exec(code.replace(/_xl\w+\./gi, '')) ?? [];
  if (reach)
    refuse(`${place} calls ${reach.toUpperCase()}, which reads from outside the workbook`, 'Write the value itself.');
  // A formula can reach outside of its workbook by a [book], a program|topic, an address or a path.
  if (/[[\]|\\]|:\/\//.test(code)) {
    refuse(`${place} refers to something outside the workbook`, 'Refer only to cells of its own sheets, e.g. Data!B2.');
  }
  if (!balanced(code))
    refuse(`${place} is not a complete formula: ${formula.slice(0, 80)}`, 'Close every bracket and quote.');
  return formula;
}

function balanced(code: string): boolean {
  let open = 0;
  for (const character of code.replace(/'(?:[^']|'')*'/g, '')) {
    if (character === '(') open += 1;
    if (character === ')') open -= 1;
    if (open < 0) return false;
  }
  return code !== '' && open === 0 && (code.split('"').length - 1) % 2 === 0;
}

/** Turns a sheet into a table, for formats that have no sheets. */
export function toTable(sheet: Sheet, format: string): Table {
  const columns = sheet.rows.reduce((longest, row) => Math.max(longest, row.length), sheet.columns?.length ?? 0);
  if (columns === 0) refuse(`${sheet.place} is a sheet without any column`, 'Give columns or a row.');
  if (columns > 50)
    refuse(`${sheet.place} has ${columns} columns, too many for a ${format}`, 'Use the format xlsx.', 'too_large');
  const cells = (row: readonly SheetCell[], at: number): Cell[] =>
    Array.from({ length: columns }, (_, column) => {
      const value = row[column] ?? null;
      const place = `${sheet.place}.rows[${at}][${column}]`;
      const text = shown(value, sheet.columns?.[column]?.format ?? 'general', place, format);
      return { runs: text === '' ? [] : [{ text }], numeric: typeof value === 'number' };
    });
  const head = sheet.columns?.map(({ header }) => ({ runs: [{ text: header }], numeric: false }));
  return {
    type: 'table',
    place: sheet.place,
    columns,
    widths: undefined,
    caption: undefined,
    header: head,
    rows: sheet.rows.map(cells),
  };
}

function shown(value: SheetCell, format: ColumnFormat, place: string, document: string): string {
  if (value === null) return '';
  if (typeof value === 'object' && 'formula' in value) {
    return refuse(`${place} is a formula, which a ${document} cannot calculate`, 'Give the value, or use format xlsx.');
  }
  if (typeof value === 'object') {
    const [day = '', time = ''] = value.date.toISOString().split(/[T.]/);
    return format === 'datetime' || time !== '00:00:00' ? `${day} ${time.slice(0, 5)}` : day;
  }
  if (typeof value !== 'number') return String(value);
  if (format === 'integer') return Math.round(value).toLocaleString('en-US');
  if (format === 'number') return value.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  return format === 'percent' ? `${(value * 100).toFixed(1)}%` : String(value);
}
