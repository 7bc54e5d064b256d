/**
 * Writes a chart as Office draws it (DrawingML), with its values in it. In a workbook it also names the cells that the
 * values come from; a Word document shows the values in the chart.
 */
import { colours, getColour } from './look.js';
import type { Chart } from './model.js';
import { escapeXml } from './package.js';

export const chartContentType = 'application/vnd.openxmlformats-officedocument.drawingml.chart+xml';

/** The cells of a column of the chart's data: column 0 has the categories, column 1 the first series. */
export type CellRange = (column: number, rows: 'head' | 'values') => string;

const axes = { category: 111_111, value: 222_222 };

export function chartXml(chart: Chart, cells?: CellRange): string {
  const { kind, title } = chart;
  const series = chart.series.map((_, index) => seriesXml(chart, index, cells)).join('');
  const many = chart.series.length > 1 || kind === 'pie';
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><c:roundedCorners val="0"/><c:chart>${
    title === undefined ? '' : `<c:title><c:tx>${richText(title, 1200, true)}</c:tx><c:overlay val="0"/></c:title>`
  }<c:autoTitleDeleted val="${title === undefined ? 1 : 0}"/><c:plotArea><c:layout/>${plots[kind](series)}${
    kind === 'pie' ? '' : axesXml(kind)
  }</c:plotArea>${many ? '<c:legend><c:legendPos val="b"/><c:overlay val="0"/></c:legend>' : ''}<c:plotVisOnly val="1"/><c:dispBlanksAs val="gap"/></c:chart><c:spPr><a:solidFill><a:srgbClr val="FFFFFF"/></a:solidFill><a:ln><a:noFill/></a:ln></c:spPr></c:chartSpace>`;
}

const axisIds = `<c:axId val="${axes.category}"/><c:axId val="${axes.value}"/>`;
const plots: Readonly<Record<Chart['kind'], (series: string) => string>> = {
  bar: (series) =>
    `<c:barChart><c:barDir val="col"/><c:grouping val="clustered"/><c:varyColors val="0"/>${series}<c:gapWidth val="60"/>${axisIds}</c:barChart>`,
  line: (series) =>
    `<c:lineChart><c:grouping val="standard"/><c:varyColors val="0"/>${series}<c:marker val="1"/>${axisIds}</c:lineChart>`,
  area: (series) => `<c:areaChart><c:grouping val="standard"/><c:varyColors val="0"/>${series}${axisIds}</c:areaChart>`,
  pie: (series) => `<c:pieChart><c:varyColors val="1"/>${series}<c:firstSliceAng val="0"/></c:pieChart>`,
  scatter: (series) =>
    `<c:scatterChart><c:scatterStyle val="lineMarker"/><c:varyColors val="0"/>${series}${axisIds}</c:scatterChart>`,
};

function axesXml(kind: Chart['kind']): string {
  const common = (position: string, crosses: number): string =>
    `<c:scaling><c:orientation val="minMax"/></c:scaling><c:delete val="0"/><c:axPos val="${position}"/>${
      position === 'l' ? `<c:majorGridlines><c:spPr>${lineXml(colours.border, 6350)}</c:spPr></c:majorGridlines>` : ''
    }<c:numFmt formatCode="General" sourceLinked="0"/><c:majorTickMark val="none"/><c:minorTickMark val="none"/><c:tickLblPos val="low"/><c:spPr>${lineXml(colours.border, 6350)}</c:spPr><c:crossAx val="${crosses}"/><c:crosses val="autoZero"/>`;
  const first = kind === 'scatter' ? 'valAx' : 'catAx';
  return `<c:${first}><c:axId val="${axes.category}"/>${common('b', axes.value)}</c:${first}><c:valAx><c:axId val="${axes.value}"/>${common('l', axes.category)}</c:valAx>`;
}

function seriesXml({ kind, categories, series }: Chart, index: number, cells: CellRange | undefined): string {
  const { name, values } = series[index] ?? { name: '', values: [] };
  const colour = getColour(index);
  const fill = `<a:solidFill><a:srgbClr val="${colour}"/></a:solidFill>`;
  const look: Readonly<Record<Chart['kind'], string>> = {
    bar: `<c:spPr>${fill}</c:spPr><c:invertIfNegative val="0"/>`,
    line: `<c:spPr>${lineXml(colour, 25_400)}</c:spPr>${marker(fill)}`,
    area: `<c:spPr><a:solidFill><a:srgbClr val="${colour}"><a:alpha val="60000"/></a:srgbClr></a:solidFill>${lineXml(colour, 19_050)}</c:spPr>`,
    pie: categories.map((_, point) => slice(point)).join('') + shares,
    scatter: `<c:spPr><a:ln w="19050"><a:noFill/></a:ln></c:spPr>${marker(fill)}`,
  };
  const head = texts([name], cells?.(index + 1, 'head'));
  const labels = categories.map(String);
  const [x, y] = kind === 'scatter' ? ['xVal', 'yVal'] : ['cat', 'val'];
  const along =
    kind === 'scatter' ? numbers(categories.map(Number), cells?.(0, 'values')) : texts(labels, cells?.(0, 'values'));
  const smooth = kind === 'line' || kind === 'scatter' ? '<c:smooth val="0"/>' : '';
  const tx = cells ? head : `<c:v>${escapeXml(name)}</c:v>`;
  return `<c:ser><c:idx val="${index}"/><c:order val="${index}"/><c:tx>${tx}</c:tx>${look[kind]}<c:${x}>${along}</c:${x}><c:${y}>${numbers(values, cells?.(index + 1, 'values'))}</c:${y}>${smooth}</c:ser>`;
}

const slice = (point: number): string =>
  `<c:dPt><c:idx val="${point}"/><c:bubble3D val="0"/><c:spPr><a:solidFill><a:srgbClr val="${getColour(point)}"/></a:solidFill>${lineXml('FFFFFF', 12_700)}</c:spPr></c:dPt>`;

const shares =
  '<c:dLbls><c:numFmt formatCode="0%" sourceLinked="0"/><c:spPr><a:noFill/></c:spPr><c:showLegendKey val="0"/><c:showVal val="0"/><c:showCatName val="0"/><c:showSerName val="0"/><c:showPercent val="1"/><c:showBubbleSize val="0"/><c:showLeaderLines val="0"/></c:dLbls>';

const lineXml = (colour: string, width: number): string =>
  `<a:ln w="${width}"><a:solidFill><a:srgbClr val="${colour}"/></a:solidFill></a:ln>`;

const marker = (fill: string): string =>
  `<c:marker><c:symbol val="circle"/><c:size val="6"/><c:spPr>${fill}<a:ln><a:noFill/></a:ln></c:spPr></c:marker>`;

const richText = (text: string, size: number, bold: boolean): string =>
  `<c:rich><a:bodyPr/><a:p><a:pPr><a:defRPr sz="${size}" b="${bold ? 1 : 0}"/></a:pPr><a:r><a:rPr lang="en-US" sz="${size}" b="${bold ? 1 : 0}"><a:solidFill><a:srgbClr val="${colours.heading}"/></a:solidFill></a:rPr><a:t>${escapeXml(text)}</a:t></a:r></a:p></c:rich>`;

const points = (values: readonly (string | number)[]): string =>
  `<c:ptCount val="${values.length}"/>${values.map((value, at) => `<c:pt idx="${at}"><c:v>${escapeXml(String(value))}</c:v></c:pt>`).join('')}`;

const texts = (values: readonly string[], range: string | undefined): string =>
  range === undefined
    ? `<c:strLit>${points(values)}</c:strLit>`
    : `<c:strRef><c:f>${escapeXml(range)}</c:f><c:strCache>${points(values)}</c:strCache></c:strRef>`;

const numbers = (values: readonly number[], range: string | undefined): string =>
  range === undefined
    ? `<c:numLit><c:formatCode>General</c:formatCode>${points(values)}</c:numLit>`
    : `<c:numRef><c:f>${escapeXml(range)}</c:f><c:numCache><c:formatCode>General</c:formatCode>${points(values)}</c:numCache></c:numRef>`;
