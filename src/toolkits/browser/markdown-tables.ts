/** Tables as Markdown. Turndown has no rule for them: it writes each cell as a paragraph, so that nobody can tell the rows. */

/** The part of a DOM element that is read here. */
export interface TableElement {
  textContent: string;
  querySelectorAll(selector: string): Iterable<TableElement>;
  getAttribute(name: string): string | null;
}

const maxSpan = 100;
/** Spans and short rows are filled up, which must not make a long text of a short page. */
const maxCells = 100_000;
/** The characters of cells that are repeated in further rows. */
const maxRepeated = 100_000;

/**
 * Returns the rows of a table in Markdown, the first one as its header. Returns undefined for a table that only arranges
 * a page (one column, or tables or preformatted text inside), and for one of more than 100,000 cells. `write` turns the
 * content of a cell into Markdown. A cell that spans several rows is repeated in each of them, unless that would add more
 * than 100,000 characters: then it returns undefined too.
 */
export function writeTable(table: TableElement, write: (cell: TableElement) => string): string | undefined {
  const [arranges] = table.querySelectorAll('table, pre');
  if (arranges) return undefined;
  const grid = readGrid(table, write);
  const width = grid.reduce((widest, row) => Math.max(widest, row.length), 0);
  if (width < 2 || width * grid.length > maxCells) return undefined;
  const [header, ...rows] = grid.map(
    (row) => `| ${Array.from({ length: width }, (_, x) => row[x] ?? '').join(' | ')} |`,
  );
  const [caption] = [...table.querySelectorAll('caption')].map(write);
  const ruler = `|${' --- |'.repeat(width)}`;
  return [...(caption ? [caption, ''] : []), header, ruler, ...rows].join('\n');
}

function readGrid(table: TableElement, write: (cell: TableElement) => string): string[][] {
  const rows = [...table.querySelectorAll('tr')];
  const grid: string[][] = rows.map(() => []);
  let filled = 0;
  let repeated = 0;
  for (const [y, row] of rows.entries()) {
    let x = 0;
    for (const cell of row.querySelectorAll('td, th')) {
      while (grid[y]?.[x] !== undefined) x += 1;
      const text = write(cell)
        .replace(/\s*\n\s*/g, ' ')
        .replaceAll('|', '\\|');
      const width = readSpan(cell, 'colspan');
      const height = Math.min(readSpan(cell, 'rowspan'), rows.length - y);
      filled += width * height;
      repeated += text.length * (height - 1);
      if (filled > maxCells || repeated > maxRepeated) return [];
      for (const line of grid.slice(y, y + height))
        for (let column = 0; column < width; column++) line[x + column] = column === 0 ? text : '';
      x += width;
    }
  }
  return grid.filter((row) => row.length > 0);
}

function readSpan(cell: TableElement, name: 'colspan' | 'rowspan'): number {
  const span = Number.parseInt(cell.getAttribute(name) ?? '1', 10);
  return span >= 1 ? Math.min(span, maxSpan) : 1;
}
