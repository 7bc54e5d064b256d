/** Draws parts on a slide. */

import { numericColumns } from '../columns.js';
import { colours, palette } from '../look.js';
import type { Cell, Chart } from '../model.js';
import type { Part } from './fit.js';
import type { DeckSlide, PptxGen, TableCell, TableRow, TextPropsOptions } from './library.js';
import { textProps } from './text.js';

type Of<Type extends Part['type']> = Extract<Part, { type: Type }>;

export function drawParts(deck: PptxGen, slide: DeckSlide, parts: readonly Part[]): void {
  for (const part of parts) {
    const { x, y, width: w, height: h } = part.box;
    const box = { x, y, w, h };
    if (part.type === 'text') drawText(slide, part, box);
    else if (part.type === 'table') drawTable(slide, part, box);
    else if (part.type === 'chart') drawChart(deck, slide, part.chart, box);
    else {
      const { picture, alt } = part;
      const data = `image/${picture.type === 'png' ? 'png' : 'jpeg'};base64,${picture.bytes.toString('base64')}`;
      slide.addImage({ ...box, data, altText: alt });
    }
  }
}

interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

function drawText(slide: DeckSlide, { lines, look }: Of<'text'>, box: Rectangle): void {
  const { size, style } = look;
  const muted = style === 'quote' || style === 'caption';
  const color = style === 'heading' ? colours.heading : muted ? colours.muted : colours.text;
  const props = lines.flatMap(({ runs, bullet }) => {
    const texts = textProps(runs.length > 0 ? runs : [{ text: '' }], { color });
    return texts.map((text, index) => ({
      ...text,
      options: {
        ...text.options,
        ...(index === texts.length - 1 ? { breakLine: true } : {}),
        // The library begins a paragraph at each bullet.
        ...(bullet && index === 0 ? bulletOptions(bullet) : {}),
      },
    }));
  });
  if (style === 'quote')
    slide.addShape('rect', { x: box.x, y: box.y, w: 0.05, h: box.h, fill: { color: colours.border } });
  slide.addText(props, {
    ...box,
    margin: 0,
    valign: 'top',
    fontSize: size,
    fontFace: style === 'code' ? 'Courier New' : 'Arial',
    ...(lines.length > 1 && style !== 'code' ? { paraSpaceAfter: 4 } : {}),
    ...(style === 'heading' ? { bold: true } : {}),
    ...(style === 'quote' ? { italic: true, x: box.x + 0.2, w: box.w - 0.2 } : {}),
    ...(style === 'caption' ? { italic: true } : {}),
    ...(style === 'code'
      ? { fill: { color: colours.paper }, margin: [6, 8, 6, 8] as [number, number, number, number] }
      : {}),
  });
}

function bulletOptions({ level, number }: { level: number; number?: number }): TextPropsOptions {
  const bullet = number === undefined ? { indent: 18 } : { type: 'number' as const, indent: 24, numberStartAt: number };
  return { bullet, indentLevel: level };
}

function drawTable(slide: DeckSlide, { head, rows, widths, numeric }: Of<'table'>, { x, y, w }: Rectangle): void {
  const right = numericColumns(numeric);
  const border = { type: 'solid', pt: 0.75, color: colours.border } as const;
  const toRow = (cells: readonly Cell[], first: boolean): TableRow =>
    cells.map(({ runs }, column) => ({
      text: textProps(
        runs.length > 0 ? runs : [{ text: '' }],
        first ? { bold: true, color: colours.heading } : {},
      ) as TableCell[],
      options: {
        border: [border, border, border, border],
        align: right[column] ? 'right' : 'left',
        ...(first ? { fill: { color: colours.shade } } : {}),
      },
    }));
  const all = [...(head ? [toRow(head, true)] : []), ...rows.map((row) => toRow(row, false))];
  slide.addTable(all, {
    x,
    y,
    w,
    colW: [...widths],
    fontFace: 'Arial',
    fontSize: 12,
    margin: [0.04, 0.08, 0.04, 0.08],
    valign: 'middle',
  });
}

function drawChart(deck: PptxGen, slide: DeckSlide, chart: Chart, box: Rectangle): void {
  const { kind, title, categories, series } = chart;
  const labels = categories.map(String);
  const data =
    kind === 'scatter'
      ? [
          { name: 'x', values: categories.map(Number) },
          ...series.map(({ name, values }) => ({ name, values: [...values] })),
        ]
      : series.map(({ name, values }) => ({ name, labels, values: [...values] }));
  const colourCount = kind === 'pie' ? categories.length : series.length;
  slide.addChart(deck.ChartType[kind], data, {
    ...box,
    chartColors: Array.from({ length: colourCount }, (_, index) => palette[index % palette.length] ?? colours.text),
    ...(title === undefined
      ? {}
      : { showTitle: true, title, titleFontSize: 14, titleColor: colours.heading, titleFontFace: 'Arial' }),
    showLegend: series.length > 1 || kind === 'pie',
    legendPos: 'b',
    legendFontFace: 'Arial',
    legendFontSize: 11,
    catAxisLabelFontSize: 11,
    valAxisLabelFontSize: 11,
    catAxisLabelFontFace: 'Arial',
    valAxisLabelFontFace: 'Arial',
    valGridLine: { color: colours.border, size: 0.5 },
    ...(kind === 'pie' ? { showPercent: true, dataLabelColor: 'FFFFFF', dataLabelFontSize: 11 } : {}),
    ...(kind === 'scatter' ? { lineSize: 0, lineDataSymbolSize: 8 } : {}),
    ...(kind === 'area' ? { chartColorsOpacity: 60 } : {}),
    ...(kind === 'bar' ? { barGapWidthPct: 60 } : {}),
    altText: title ?? `${kind} chart`,
  });
}
