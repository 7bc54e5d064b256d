/** Charts as drawings: axes, marks and a legend. */
import { colours, getColour } from '../look.js';
import type { Chart } from '../model.js';
import { type Scale, scaleFor, shortNumber } from '../scale.js';
import { needSpace, type Page, skip, writeText } from './page.js';
import type { Line, Setting } from './typesetting.js';

const small: Setting = { size: 8, colour: colours.muted };

interface Frame {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export function writeChart(page: Page, chart: Chart, place: string): void {
  const height = Math.min(230, page.bottom - page.top - 80);
  skip(page, 6);
  needSpace(page, height + 60);
  if (chart.title) {
    writeText(page, [{ text: chart.title }], { size: 11, bold: true, colour: colours.heading }, { place });
    page.y += 4;
  }
  const label = (text: string, width = 90): Line => {
    const [first, more] = page.type.lines([{ text }], width, small, place);
    const cut = more
      ? page.type.lines(
          [{ text: `${text.slice(0, Math.max(1, Math.floor(width / 5)))}…` }],
          width + 20,
          small,
          place,
        )[0]
      : first;
    return cut ?? { pieces: [], width: 0 };
  };
  const frame = { left: page.left, top: page.y, width: page.width, height };
  if (chart.kind === 'pie') drawPie(page, chart, frame);
  else drawAxes(page, chart, frame, label);
  page.y += height + 6;
  const names = chart.kind === 'pie' ? pieNames(chart) : chart.series.map(({ name }) => name);
  drawLegend(page, names, (text) => label(text, page.width - 30));
  page.y += 12;
}

function pieNames({ categories, series: [only] }: Chart): string[] {
  const values = only?.values ?? [];
  const sum = values.reduce((all, value) => all + value, 0);
  return categories.map(
    (name, index) =>
      `${name}: ${shortNumber(values[index] ?? 0)} (${(((values[index] ?? 0) / sum) * 100).toFixed(1)}%)`,
  );
}

function drawLegend(page: Page, names: readonly string[], label: (text: string) => Line): void {
  let x = page.left;
  for (const [index, name] of names.entries()) {
    const line = label(name);
    if (x + line.width + 14 > page.left + page.width && x > page.left) {
      x = page.left;
      page.y += 13;
    }
    if (x === page.left) needSpace(page, 13);
    page.doc.rect(x, page.y + 1.5, 8, 8).fill(`#${getColour(index)}`);
    page.type.draw(line, x + 12, page.y, small);
    x += line.width + 28;
  }
  page.y += 13;
}

function drawPie(page: Page, { series: [only] }: Chart, { left, top, width, height }: Frame): void {
  const values = only?.values ?? [];
  const sum = values.reduce((all, value) => all + value, 0);
  const radius = height / 2 - 6;
  const [x, y] = [left + width / 2, top + height / 2];
  let from = -Math.PI / 2;
  for (const [index, value] of values.entries()) {
    const to = from + (value / sum) * 2 * Math.PI;
    const { doc } = page;
    if (value === sum) doc.circle(x, y, radius);
    else if (value > 0) {
      doc.moveTo(x, y);
      // Arcs are drawn as short straight lines, too short to be seen.
      const steps = Math.ceil((to - from) * 60);
      for (let step = 0; step <= steps; step += 1) {
        const angle = from + ((to - from) * step) / steps;
        doc.lineTo(x + radius * Math.cos(angle), y + radius * Math.sin(angle));
      }
      doc.closePath();
    }
    if (value > 0) doc.lineWidth(1).fillAndStroke(`#${getColour(index)}`, '#FFFFFF');
    from = to;
  }
}

type Labels = (text: string, width?: number) => Line;

function drawAxes(page: Page, chart: Chart, outer: Frame, label: Labels): void {
  const { doc, type } = page;
  const values = chart.series.flatMap((series) => series.values);
  const y = scaleFor(values, chart.kind === 'bar' || chart.kind === 'area');
  const marks = y.ticks.map((tick) => ({ tick, line: label(shortNumber(tick)) }));
  const side = Math.max(...marks.map(({ line }) => line.width)) + 8;
  const frame = {
    left: outer.left + side,
    top: outer.top + 6,
    width: outer.width - side - 8,
    height: outer.height - 26,
  };
  const toY = (value: number): number => frame.top + frame.height * (1 - y.part(value));
  for (const { tick, line } of marks) {
    doc
      .lineWidth(tick === 0 ? 0.9 : 0.4)
      .moveTo(frame.left, toY(tick))
      .lineTo(frame.left + frame.width, toY(tick));
    doc.stroke(`#${tick === 0 ? colours.muted : colours.border}`);
    type.draw(line, frame.left - line.width - 6, toY(tick) - 5, small);
  }
  const below = (text: string, x: number, width: number): void => {
    const line = label(text, width);
    const at = Math.min(x - line.width / 2, outer.left + outer.width - line.width);
    type.draw(line, at, frame.top + frame.height + 6, small);
  };
  if (chart.kind === 'scatter') {
    drawScatter(page, chart, frame, toY, below);
    return;
  }
  const step = frame.width / chart.categories.length;
  const every = Math.ceil(34 / step);
  for (const [index, category] of chart.categories.entries()) {
    if (index % every === 0) below(String(category), frame.left + step * (index + 0.5), step * every - 4);
  }
  if (chart.kind === 'bar') drawBars(page, chart, frame, toY);
  else drawLines(page, chart, frame, toY);
}

function drawBars(page: Page, { series, categories }: Chart, frame: Frame, yOf: (value: number) => number): void {
  const step = frame.width / categories.length;
  const wide = Math.min((step * 0.74) / series.length, 46);
  for (const [place, { values }] of series.entries()) {
    for (const [index, value] of values.entries()) {
      const x = frame.left + step * (index + 0.5) + wide * (place - series.length / 2);
      const [top, foot] = [Math.min(yOf(value), yOf(0)), Math.max(yOf(value), yOf(0))];
      page.doc.rect(x, top, Math.max(0.5, wide - 1), Math.max(0.4, foot - top)).fill(`#${getColour(place)}`);
    }
  }
}

function drawLines(
  page: Page,
  { kind, series, categories }: Chart,
  frame: Frame,
  yOf: (value: number) => number,
): void {
  const { doc } = page;
  const step = frame.width / categories.length;
  for (const [place, { values }] of series.entries()) {
    const points = values.map((value, index): [number, number] => [frame.left + step * (index + 0.5), yOf(value)]);
    const colour = `#${getColour(place)}`;
    const path = (): void =>
      points.forEach(([x, y], index) => void (index === 0 ? doc.moveTo(x, y) : doc.lineTo(x, y)));
    if (kind === 'area') {
      path();
      const [first, last] = [points[0]?.[0] ?? 0, points.at(-1)?.[0] ?? 0];
      doc.lineTo(last, yOf(0)).lineTo(first, yOf(0)).closePath().fillOpacity(0.3).fill(colour).fillOpacity(1);
    }
    path();
    doc.lineWidth(1.6).stroke(colour);
    if (points.length <= 40) for (const [x, y] of points) doc.circle(x, y, 2.2).fill(colour);
  }
}

function drawScatter(
  page: Page,
  { series, categories }: Chart,
  frame: Frame,
  yOf: (value: number) => number,
  below: (text: string, x: number, width: number) => void,
): void {
  const x: Scale = scaleFor(categories.map(Number), false);
  for (const tick of x.ticks) below(shortNumber(tick), frame.left + frame.width * x.part(tick), 60);
  for (const [place, { values }] of series.entries()) {
    for (const [index, value] of values.entries()) {
      const at = frame.left + frame.width * x.part(Number(categories[index]));
      page.doc.circle(at, yOf(value), 2.6).fill(`#${getColour(place)}`);
    }
  }
}
