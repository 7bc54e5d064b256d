/**
 * Decides what goes on which slide. Heights come from measured lines; a text, a list, code or a table that is too long
 * for the space left continues on the next slide, and nothing is drawn below the edge.
 */
import { columnWidths } from '../columns.js';
import { plainText } from '../inline.js';
import type { Cell, Chart, Flow, Item, Picture, Run, Table } from '../model.js';
import { refuse } from '../refuse.js';
import type { Measure } from './measure.js';

/** Inches, on a slide of 13.33 × 7.5. */
export const area = { left: 0.6, width: 12.13, top: 1.5, bottom: 6.95 };

export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

type Box = Omit<Area, 'height'> & { readonly height: number };

export interface TextLine {
  readonly runs: readonly Run[];
  readonly bullet?: { readonly level: number; readonly number?: number };
}

export type Part =
  | { readonly type: 'text'; readonly box: Box; readonly lines: readonly TextLine[]; readonly look: TextLook }
  | {
      readonly type: 'table';
      readonly box: Box;
      readonly head: readonly Cell[] | undefined;
      readonly rows: Table['rows'];
      readonly widths: readonly number[];
      readonly numeric: Table;
    }
  | { readonly type: 'image'; readonly box: Box; readonly picture: Picture; readonly alt: string }
  | { readonly type: 'chart'; readonly box: Box; readonly chart: Chart };

export interface TextLook {
  readonly size: number;
  readonly style: 'plain' | 'heading' | 'code' | 'quote' | 'caption';
}

const inch = (size: number, lines: number): number => (size * 1.25 * lines) / 72;
const gap = 0.14;

/** Something of a known height, or something that can be cut to a height. */
interface Piece {
  readonly height: number;
  /** Minimum height that makes it worth starting here. */
  readonly least: number;
  part(box: Box): Part;
  cut?(height: number): [Piece, Piece] | undefined;
}

export function fitBlocks(blocks: readonly Flow[], areas: readonly Area[], measure: Measure): Part[][] {
  const pages = createPages(areas);
  const half = areas.length > 1 ? Math.ceil(blocks.length / 2) : blocks.length;
  for (const [index, block] of blocks.entries()) {
    // Two columns: the first half of the blocks to the left.
    if (index === half && pages.isFirstArea()) pages.advance();
    const following = blocks[index + 1];
    const [next] = block.type === 'heading' && following ? splitPieces(following, pages.area(), measure) : [];
    for (const piece of splitPieces(block, pages.area(), measure)) {
      // A heading stays with what follows it.
      const least = next ? Math.min(piece.height + gap + next.least, pages.area().height) : piece.least;
      if (!placePiece(pages, { ...piece, least })) refuseTall(block);
    }
  }
  return pages.all.filter((page, index) => page.length > 0 || index === 0);
}

type Pages = ReturnType<typeof createPages>;

/** The slides. All have the same areas, which are filled one after the other from the top. */
function createPages(areas: readonly Area[]) {
  const all: Part[][] = [[]];
  let at = 0;
  let used = 0;
  const current = (): Area => areas[at] ?? { x: area.left, y: area.top, width: area.width, height: 1 };
  return {
    all,
    area: current,
    isFirstArea: () => at === 0 && all.length === 1,
    isEmpty: () => used === 0,
    left: () => current().height - used,
    advance(): void {
      used = 0;
      at += 1;
      if (at < areas.length) return;
      at = 0;
      all.push([]);
    },
    place(piece: Piece): void {
      const { x, y, width } = current();
      all.at(-1)?.push(piece.part({ x, y: y + used, width, height: piece.height }));
      used += piece.height + gap;
    },
  };
}

/** Places the piece, cut where an area ends. Returns false if not even a part of it fits into an empty area. */
function placePiece(pages: Pages, whole: Piece): boolean {
  let piece = whole;
  for (;;) {
    const left = pages.left();
    const fits = piece.height <= left;
    if (fits && (pages.isEmpty() || piece.least <= left)) {
      pages.place(piece);
      return true;
    }
    const cut = !fits && piece.least <= left ? piece.cut?.(left) : undefined;
    if (!cut && pages.isEmpty()) return false;
    if (cut) {
      pages.place(cut[0]);
      piece = cut[1];
    }
    pages.advance();
  }
}

function refuseTall(block: Flow): never {
  return refuse(`${block.place}: one row or line of it is higher than a slide`, 'Shorten it.', 'too_large');
}

function splitPieces(block: Flow, { width, height }: Area, measure: Measure): Piece[] {
  switch (block.type) {
    case 'heading':
      return [textPiece([{ runs: block.runs }], { size: 20, style: 'heading' }, width, measure)];
    case 'paragraph':
      return [textPiece([{ runs: block.runs }], { size: 18, style: 'plain' }, width, measure)];
    case 'quote':
      return [textPiece([{ runs: block.runs }], { size: 18, style: 'quote' }, width, measure)];
    case 'code':
      return [
        textPiece(
          block.text
            .replace(/\n$/, '')
            .split(/\r\n?|\n/)
            .map((text) => ({ runs: [{ text: text.replace(/\t/g, '    ') }] })),
          { size: 13, style: 'code' },
          width,
          measure,
        ),
      ];
    case 'list':
      return [textPiece(itemLines(block.items, block.ordered, 0), { size: 18, style: 'plain' }, width, measure)];
    case 'table':
      return tablePieces(block, width, measure);
    case 'image': {
      const { picture, percent, alt } = block;
      const wanted = percent === undefined ? picture.width / 96 : (width * percent) / 100;
      const scale = Math.min(Math.min(wanted, width) / picture.width, height / picture.height);
      const [wide, high] = [picture.width * scale, picture.height * scale];
      return [
        { height: high, least: high, part: (box) => ({ type: 'image', picture, alt, box: { ...box, width: wide } }) },
      ];
    }
    case 'chart': {
      const high = Math.min(4.4, height);
      return [{ height: high, least: high, part: (box) => ({ type: 'chart', chart: block.chart, box }) }];
    }
    case 'page_break':
      return [];
  }
}

function itemLines(items: readonly Item[], ordered: boolean, level: number): TextLine[] {
  return items.flatMap((item, index) => [
    { runs: item.runs, bullet: { level, ...(ordered ? { number: index + 1 } : {}) } },
    ...itemLines(item.items, ordered, level + 1),
  ]);
}

function textPiece(lines: readonly TextLine[], look: TextLook, width: number, measure: Measure): Piece {
  const { size, style } = look;
  const extra = style === 'code' ? 0.2 : 0.06;
  const counts = lines.map(({ runs, bullet }) => {
    const free = width - (style === 'code' || style === 'quote' ? 0.3 : 0.1) - (bullet ? 0.4 * (bullet.level + 1) : 0);
    // Courier is wider than Arial.
    const text = plainText(runs);
    const mono = style === 'code' ? Math.max(1, Math.ceil(text.length / Math.floor((free * 72) / (size * 0.601)))) : 1;
    return style === 'code' ? mono : measure.lines(text, size, free).length;
  });
  const between = lines.length > 1 && style !== 'code' ? 0.06 : 0;
  const measureHeight = (list: readonly number[]): number =>
    list.reduce((sum, count) => sum + inch(size, count) + between, extra);
  return {
    height: measureHeight(counts),
    least: Math.min(measureHeight(counts), inch(size, 2) + extra),
    part: (box) => ({ type: 'text', box, lines, look }),
    cut(height) {
      let kept = 0;
      while (kept < counts.length && measureHeight(counts.slice(0, kept + 1)) <= height) kept += 1;
      if (kept > 0)
        return [lines.slice(0, kept), lines.slice(kept)].map((part) => textPiece(part, look, width, measure)) as [
          Piece,
          Piece,
        ];
      const [first, ...rest] = lines;
      const room = Math.floor((height - extra - between) / inch(size, 1));
      if (!first || room < 1) return undefined;
      const [head, tail] = splitRuns(
        first.runs,
        Math.max(1, Math.floor((plainText(first.runs).length * room) / (counts[0] ?? 1)) - 20),
      );
      // The continuation belongs to the same point, so it gets no second bullet.
      const more = { runs: tail };
      return [
        textPiece([{ ...first, runs: head }], look, width, measure),
        textPiece([more, ...rest], look, width, measure),
      ];
    },
  };
}

/** Cuts at the last space before the limit, if there is one. */
function splitRuns(runs: readonly Run[], length: number): [Run[], Run[]] {
  const text = plainText(runs);
  const space = text.lastIndexOf(' ', length);
  let at = space > length / 2 ? space + 1 : length;
  if (/[\udc00-\udfff]/.test(text.charAt(at))) at -= 1;
  const [head, tail]: [Run[], Run[]] = [[], []];
  let seen = 0;
  for (const run of runs) {
    const own = Math.min(Math.max(at - seen, 0), run.text.length);
    if (own > 0) head.push({ ...run, text: run.text.slice(0, own) });
    if (own < run.text.length) tail.push({ ...run, text: run.text.slice(own) });
    seen += run.text.length;
  }
  return [head, tail];
}

const tableSize = 12;

function tablePieces(table: Table, width: number, measure: Measure): Piece[] {
  if (table.columns > 20)
    refuse(`${table.place} has ${table.columns} columns, too many for a slide`, 'Use fewer columns, or format xlsx.');
  const widths = columnWidths(table, width, 0.095, 0.2);
  const measureRow = (row: readonly Cell[]): number =>
    Math.max(
      ...row.map(({ runs }, column) =>
        inch(tableSize, measure.lines(plainText(runs), tableSize, (widths[column] ?? 1) - 0.2).length),
      ),
    ) + 0.14;
  const head = table.header ? measureRow(table.header) : 0;
  const piece = (rows: Table['rows'], heights: readonly number[]): Piece => ({
    height: heights.reduce((sum, height) => sum + height, head),
    least: head + (heights[0] ?? 0),
    part: (box) => ({ type: 'table', box, head: table.header, rows, widths, numeric: table }),
    cut(height) {
      let [kept, filled] = [0, head];
      while (kept < rows.length && filled + (heights[kept] ?? 0) <= height) {
        filled += heights[kept] ?? 0;
        kept += 1;
      }
      if (kept === 0) return undefined;
      return [piece(rows.slice(0, kept), heights.slice(0, kept)), piece(rows.slice(kept), heights.slice(kept))];
    },
  });
  const body = piece(table.rows, table.rows.map(measureRow));
  return table.caption
    ? [body, textPiece([{ runs: table.caption }], { size: 11, style: 'caption' }, width, measure)]
    : [body];
}
