/** Native charts in a workbook: a drawing on the sheet that has the numbers, and the chart in that drawing. */
import { chartContentType, chartXml } from '../chart-xml.js';
import type { Chart } from '../model.js';
import { openPackage, relationTypes } from '../package.js';

export interface DrawnChart {
  readonly sheet: string;
  /** Number of the sheet in the workbook, from 1. */
  readonly position: number;
  readonly chart: Chart;
}

export function finishWorkbook(bytes: Uint8Array, charts: readonly DrawnChart[]): Uint8Array {
  const parts = openPackage(bytes);
  for (const [index, { sheet, position, chart }] of charts.entries()) {
    const number = index + 1;
    const sheetPart = `xl/worksheets/sheet${position}.xml`;
    const drawing = `xl/drawings/drawing${number}.xml`;
    const quoted = `'${sheet.replaceAll("'", "''")}'`;
    const last = chart.categories.length + 1;
    const cells = (column: number, rows: 'head' | 'values'): string => {
      const letter = String.fromCharCode(65 + column);
      return rows === 'head' ? `${quoted}!$${letter}$1` : `${quoted}!$${letter}$2:$${letter}$${last}`;
    };
    parts.write(`xl/charts/chart${number}.xml`, chartXml(chart, cells));
    parts.declare(`xl/charts/chart${number}.xml`, chartContentType);
    const chartId = parts.relate(drawing, 'chart', `../charts/chart${number}.xml`);
    parts.write(drawing, drawingXml(chartId, chart.series.length + 2));
    parts.declare(drawing, 'application/vnd.openxmlformats-officedocument.drawing+xml');
    const drawingId = parts.relate(sheetPart, 'drawing', `../drawings/drawing${number}.xml`);
    const tag = `<drawing xmlns:r="${relationTypes}" r:id="${drawingId}"/>`;
    parts.write(sheetPart, parts.text(sheetPart).replace('</worksheet>', `${tag}</worksheet>`));
  }
  return parts.pack();
}

function drawingXml(chartId: string, column: number): string {
  const at = (name: string, where: number, row: number): string =>
    `<xdr:${name}><xdr:col>${where}</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>${row}</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:${name}>`;
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<xdr:wsDr xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><xdr:twoCellAnchor>${at('from', column, 1)}${at('to', column + 10, 22)}<xdr:graphicFrame macro=""><xdr:nvGraphicFramePr><xdr:cNvPr id="2" name="Chart"/><xdr:cNvGraphicFramePr/></xdr:nvGraphicFramePr><xdr:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/></xdr:xfrm><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/chart"><c:chart xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:r="${relationTypes}" r:id="${chartId}"/></a:graphicData></a:graphic></xdr:graphicFrame><xdr:clientData/></xdr:twoCellAnchor></xdr:wsDr>`;
}
