/** Blocks as paragraphs and tables of Word. */
import type * as Docx from 'docx';
import { defined } from '../../../../util/defined.js';
import { columnWidths } from '../columns.js';
import { plainText } from '../inline.js';
import { colours, rightToLeft } from '../look.js';
import type { Chart, Flow, Item, Run, Table } from '../model.js';
import { refuse } from '../refuse.js';

type Children = (Docx.Paragraph | Docx.Table)[];

export interface Writer {
  write(block: Flow, next: Flow | undefined): Children;
  readonly bullets: Numbering;
  /** A numbering of its own for each ordered list, so that each begins at 1. */
  readonly numberings: Numbering[];
  readonly charts: { mark: string; chart: Chart }[];
}

type Numbering = Docx.INumberingOptions['config'][number];

interface Look {
  readonly size?: number;
  readonly colour?: string;
  readonly bold?: boolean;
  readonly italic?: boolean;
}

const cellBorder = { style: 'single', size: 5, color: colours.border } as const;
const borders = { top: cellBorder, bottom: cellBorder, left: cellBorder, right: cellBorder };

export function createWriter(docx: typeof Docx, page: { width: number; height: number }): Writer {
  const numberings: Numbering[] = [];
  const charts: Writer['charts'] = [];
  const paragraph = (runs: readonly Run[], options: Docx.IParagraphOptions = {}, look: Look = {}): Docx.Paragraph =>
    new docx.Paragraph({
      ...options,
      ...(startsRight(runs) ? { bidirectional: true } : {}),
      children: splitRuns(docx, runs, look),
    });

  function list(ordered: boolean, of: readonly Item[]): Docx.Paragraph[] {
    if (!ordered) return buildItems(paragraph, of, 'bullets', 0);
    const reference = `numbers-${numberings.length}`;
    numberings.push(numbering(reference, (level) => ({ format: 'decimal', text: `%${level + 1}.` })));
    return buildItems(paragraph, of, reference, 0);
  }

  function write(block: Flow, next: Flow | undefined): Children {
    switch (block.type) {
      case 'heading':
        return [
          paragraph(block.runs, { heading: `Heading${block.level}` as Docx.IParagraphOptions['heading'] & string }),
        ];
      case 'paragraph':
        return [paragraph(block.runs)];
      case 'quote': {
        const border = { left: { style: 'single', size: 18, space: 10, color: colours.border } } as const;
        return [paragraph(block.runs, { indent: { left: 360 }, border }, { italic: true, colour: colours.muted })];
      }
      case 'list':
        return list(block.ordered, block.items);
      case 'code':
        return [buildCode(docx, block.text)];
      case 'image':
        return [buildImage(docx, page, block)];
      case 'chart': {
        const mark = `HELVE-CHART-${charts.length}-MARK`;
        charts.push({ mark, chart: block.chart });
        return [new docx.Paragraph({ children: [new docx.TextRun(mark)] })];
      }
      case 'page_break':
        return [new docx.Paragraph({ children: [new docx.PageBreak()] })];
      case 'table':
        return [
          ...buildTable(docx, block, page.width, paragraph),
          ...(block.caption || next === undefined || next.type === 'table' ? [] : [spacer(docx)]),
        ];
    }
  }
  const bullets = numbering('bullets', (level) => ({ format: 'bullet', text: ['•', '–', '▪'][level] ?? '•' }));
  return { write, bullets, numberings, charts };
}

function splitRuns(docx: typeof Docx, runs: readonly Run[], look: Look = {}): Docx.ParagraphChild[] {
  return runs.map((run) => {
    const text = textRun(docx, run, look);
    return run.link === undefined ? text : new docx.ExternalHyperlink({ link: run.link, children: [text] });
  });
}
function buildItems(paragraph: MakeParagraph, of: readonly Item[], reference: string, level: number): Docx.Paragraph[] {
  return of.flatMap((item) => [
    paragraph(item.runs, { numbering: { reference, level }, spacing: { after: 50 } }),
    ...buildItems(paragraph, item.items, reference, level + 1),
  ]);
}

function buildImage(
  docx: typeof Docx,
  page: { width: number; height: number },
  { picture, percent, alt }: Extract<Flow, { type: 'image' }>,
): Docx.Paragraph {
  const wanted = percent === undefined ? picture.width : (page.width * percent) / 75;
  // The library counts in pixels, which are 3/4 of a point.
  const scale = Math.min(Math.min(wanted, page.width / 0.75) / picture.width, page.height / 0.8 / picture.height);
  const [width, height] = [Math.max(1, picture.width * scale), Math.max(1, picture.height * scale)];
  const altText = { name: alt || 'Picture', description: alt, title: alt };
  const drawn = new docx.ImageRun({
    type: picture.type,
    data: picture.bytes,
    transformation: { width, height },
    altText,
  });
  return new docx.Paragraph({ children: [drawn] });
}

function buildCode(docx: typeof Docx, text: string): Docx.Paragraph {
  const lines = text.replace(/\r\n?/g, '\n').replace(/\n$/, '').split('\n');
  const children = lines.map(
    (line, index) =>
      new docx.TextRun({
        text: line.replace(/\t/g, '    '),
        size: 18,
        font: 'Courier New',
        ...(index > 0 ? { break: 1 } : {}),
      }),
  );
  return new docx.Paragraph({
    shading: { type: 'clear', fill: colours.paper },
    indent: { left: 120, right: 120 },
    children,
  });
}

/** Without a paragraph in between, a table touches the text below it, and two tables become one. */
const spacer = (docx: typeof Docx): Docx.Paragraph =>
  new docx.Paragraph({ spacing: { after: 60, line: 120, lineRule: 'auto' }, children: [] });

type LevelLook = (level: number) => { format: 'bullet' | 'decimal'; text: string };

function numbering(reference: string, look: LevelLook): Numbering {
  const levels = [0, 1, 2].map((level) => ({
    level,
    alignment: 'left',
    ...look(level),
    style: { paragraph: { indent: { left: 420 * (level + 1), hanging: 320 } } },
  }));
  return { reference, levels: levels as Numbering['levels'] };
}

function startsRight(runs: readonly Run[]): boolean {
  const [first] = /\p{L}/u.exec(plainText(runs)) ?? [];
  return first !== undefined && rightToLeft.test(first);
}

function textRun(docx: typeof Docx, run: Run, look: Look): Docx.TextRun {
  const lines = run.text.replace(/\r\n?|[\u2028\u2029]/g, '\n').split('\n');
  // A line of a paragraph: its text, and a break before all but the first.
  const children = lines.flatMap((line, index) => (index === 0 ? [line] : [new docx.CarriageReturn(), line]));
  const colour = run.link === undefined ? look.colour : colours.link;
  return new docx.TextRun({
    children: children as string[],
    ...(run.bold || look.bold ? { bold: true } : {}),
    ...(run.italic || look.italic ? { italics: true } : {}),
    ...(run.strike ? { strike: true } : {}),
    ...(run.code ? { font: 'Courier New', shading: { type: 'clear', fill: colours.shade } } : {}),
    ...(run.link === undefined ? {} : { underline: { type: 'single' } }),
    ...defined({ color: colour }),
    ...(look.size === undefined ? {} : { size: look.size * 2 }),
    ...(rightToLeft.test(run.text) ? { rightToLeft: true } : {}),
  });
}

type MakeParagraph = (runs: readonly Run[], options?: Docx.IParagraphOptions, look?: Look) => Docx.Paragraph;

function buildTable(docx: typeof Docx, table: Table, width: number, paragraph: MakeParagraph): Children {
  const widths = columnWidths(table, width, 6.1, 14).map((points) => Math.floor(points * 20));
  if (table.columns > 63) refuse(`${table.place} has ${table.columns} columns; Word allows 63`, 'Take format xlsx.');
  const toRow = (cells: Table['rows'][number], head: boolean): Docx.TableRow =>
    new docx.TableRow({
      ...(head ? { tableHeader: true } : {}),
      cantSplit: cells.every(({ runs }) => plainText(runs).length < 600),
      children: cells.map(
        ({ runs, numeric }, column) =>
          new docx.TableCell({
            borders,
            width: { size: widths[column] ?? 0, type: 'dxa' },
            margins: { top: 60, bottom: 60, left: 110, right: 110 },
            ...(head ? { shading: { type: 'clear', fill: colours.shade } } : {}),
            children: [
              paragraph(
                runs,
                {
                  spacing: { after: 0, line: 252, lineRule: 'auto' as const },
                  ...(numeric ? { alignment: 'right' as const } : {}),
                },
                head ? { size: 9.5, bold: true, colour: colours.heading } : { size: 9.5 },
              ),
            ],
          }),
      ),
    });
  const rows = [...(table.header ? [toRow(table.header, true)] : []), ...table.rows.map((row) => toRow(row, false))];
  const drawn = new docx.Table({
    rows,
    columnWidths: widths,
    width: { size: Math.round(width * 20), type: 'dxa' },
    layout: 'fixed',
  });
  if (!table.caption) return [drawn];
  return [
    drawn,
    paragraph(table.caption, { spacing: { before: 80 } }, { size: 9, italic: true, colour: colours.muted }),
  ];
}
