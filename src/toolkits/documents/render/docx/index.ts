/** Writes Word files with `docx`. Charts are put into the package afterwards, because the library cannot write them. */
import type * as Docx from 'docx';
import { requirePackage } from '../../../../util/packages.js';
import { chartContentType, chartXml } from '../chart-xml.js';
import { toFlow } from '../flow.js';
import { colours, headingSizes, pageSizes } from '../look.js';
import type { Chart, Document } from '../model.js';
import { escapeXml, openPackage } from '../package.js';
import { createWriter } from './blocks.js';

/** Twentieths of a point. */
const twips = (points: number): number => Math.round(points * 20);
const margin = 62;

export async function renderDocx(document: Document): Promise<Uint8Array> {
  const docx = requirePackage<typeof Docx>('docx', 'documents');
  const [short, long] = pageSizes[document.pageSize];
  const width = (document.landscape ? long : short) - 2 * margin;
  const height = (document.landscape ? short : long) - 2 * margin;
  const flow = toFlow(document, 'docx');
  const writer = createWriter(docx, { width, height });
  const children = flow.flatMap((block, index) => writer.write(block, flow[index + 1]));
  const file = new docx.Document({
    title: document.title ?? '',
    creator: document.author ?? '',
    lastModifiedBy: document.author ?? '',
    description: '',
    styles: styles(),
    numbering: { config: [writer.bullets, ...writer.numberings] },
    sections: [
      {
        properties: {
          page: {
            // The library itself swaps width and height.
            size: {
              width: twips(short),
              height: twips(long),
              orientation: docx.PageOrientation[document.landscape ? 'LANDSCAPE' : 'PORTRAIT'],
            },
            margin: { top: twips(margin), bottom: twips(margin), left: twips(margin), right: twips(margin) },
          },
        },
        footers: { default: footer(docx) },
        children,
      },
    ],
  });
  const bytes = await docx.Packer.toBuffer(file);
  return finish(bytes, writer.charts, document.at, width);
}

function styles(): Docx.IStylesOptions {
  const font = { ascii: 'Arial', hAnsi: 'Arial', cs: 'Arial', eastAsia: 'Arial' };
  const headings = headingSizes.map((size, index) => [
    `heading${index + 1}`,
    {
      run: { font, size: size * 2, bold: true, color: colours.heading },
      paragraph: { spacing: { before: size * 14, after: size * 7 }, keepNext: true, outlineLevel: index },
    },
  ]);
  return {
    default: {
      document: {
        run: { font, size: 21, color: colours.text },
        paragraph: { spacing: { after: 140, line: 276, lineRule: 'auto' } },
      },
      ...Object.fromEntries(headings),
      hyperlink: { run: { color: colours.link, underline: { type: 'single' } } },
    },
  };
}

function footer(docx: typeof Docx): Docx.Footer {
  const { PageNumber } = docx;
  const number = new docx.TextRun({
    children: [PageNumber.CURRENT, ' / ', PageNumber.TOTAL_PAGES],
    size: 17,
    color: colours.muted,
  });
  return new docx.Footer({ children: [new docx.Paragraph({ alignment: 'right', children: [number] })] });
}

/** Puts charts where the writer left a mark, and replaces the dates that the library takes from the clock. */
function finish(bytes: Uint8Array, charts: readonly { mark: string; chart: Chart }[], at: Date, width: number) {
  const parts = openPackage(bytes);
  const main = 'word/document.xml';
  for (const [index, { mark, chart }] of charts.entries()) {
    const part = `charts/chart${index + 1}.xml`;
    parts.write(`word/${part}`, chartXml(chart));
    parts.declare(`word/${part}`, chartContentType);
    const id = parts.relate(main, 'chart', part);
    const run = new RegExp(`<w:t(?: [^>]*)?>${mark}</w:t>`);
    parts.write(
      main,
      parts.text(main).replace(run, () => frame(id, index, chart, width)),
    );
  }
  const core = 'docProps/core.xml';
  const dated = parts
    .text(core)
    .replace(/(<dcterms:(?:created|modified)[^>]*>)[^<]*/g, `$1${at.toISOString().replace(/\.\d+/, '')}`);
  parts.write(core, dated);
  return parts.pack();
}

function frame(id: string, index: number, { title, kind }: Chart, width: number): string {
  const [wide, high] = [Math.round(width * 12_700), Math.round(width * 0.52 * 12_700)];
  const name = escapeXml(title ?? `${kind} chart`);
  return `<w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" distT="0" distB="0" distL="0" distR="0"><wp:extent cx="${wide}" cy="${high}"/><wp:effectExtent l="0" t="0" r="0" b="0"/><wp:docPr id="${9001 + index}" name="Chart ${index + 1}" descr="${name}"/><wp:cNvGraphicFramePr/><a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/chart"><c:chart xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" r:id="${id}"/></a:graphicData></a:graphic></wp:inline></w:drawing>`;
}
