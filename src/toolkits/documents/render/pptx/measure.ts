/**
 * Counts the lines that a text takes in Arial, using Liberation Sans, which has the same widths. Missing characters
 * count as one em.
 */
import { requirePackage } from '../../../../util/packages.js';
import type { Fonts } from '../fonts.js';

export interface Measure {
  /** `width` in inches, `size` in points. */
  lines(text: string, size: number, width: number): string[];
}

export function createMeasure(fonts: Fonts): Measure {
  const Pdf = requirePackage<typeof import('pdfkit')>('pdfkit', 'documents');
  const doc = new Pdf({ autoFirstPage: false });
  const known = new Map<string, number>();
  const measureWidth = (character: string): number => {
    const answer = known.get(character) ?? measured(doc, fonts.bold, character);
    known.set(character, answer);
    return answer;
  };
  const wide = (text: string): number => [...text].reduce((sum, character) => sum + measureWidth(character), 0);
  return {
    lines(text, size, width) {
      // A little less than the available width, because programs measure text differently.
      const most = (width * 72 * 0.97) / size;
      return text.split(/\r\n?|\n/).flatMap((line) => wrap(line, most, wide));
    },
  };
}

function measured(doc: PDFKit.PDFDocument, font: string, character: string): number {
  const point = character.codePointAt(0) ?? 0;
  if (point > 0x2e7f) return 1;
  return Math.max(0.2, doc.font(font).fontSize(1).widthOfString(character));
}

function wrap(line: string, most: number, wide: (text: string) => number): string[] {
  const lines: string[] = [];
  let [text, filled] = ['', 0];
  for (const [word] of line.matchAll(/\s+|[^\s]+/g)) {
    const width = wide(word);
    if (filled + width <= most || (/^\s/.test(word) && text !== '')) {
      text += word;
      filled += width;
      continue;
    }
    if (text !== '') lines.push(text);
    [text, filled] = ['', 0];
    for (const character of word) {
      const more = wide(character);
      if (filled + more > most && text !== '') {
        lines.push(text);
        [text, filled] = ['', 0];
      }
      text += character;
      filled += more;
    }
  }
  return [...lines, text];
}
