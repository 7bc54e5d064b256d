/** Finds font files, for the formats that need the shapes or the widths of characters. */
import { join } from 'node:path';
import { packageFolder } from '../../../util/packages.js';

export interface Fonts {
  readonly regular: string;
  readonly bold: string;
  readonly italic: string;
  readonly boldItalic: string;
  /** For characters that the four fonts lack. */
  readonly others: readonly string[];
}

/** Liberation Sans comes with pdfjs-dist, under a free licence: Latin, Greek and Cyrillic. */
export function findFonts(others: readonly string[]): Fonts {
  const folder = join(packageFolder('pdfjs-dist', 'documents'), 'standard_fonts');
  const file = (style: string): string => join(folder, `LiberationSans-${style}.ttf`);
  return {
    regular: file('Regular'),
    bold: file('Bold'),
    italic: file('Italic'),
    boldItalic: file('BoldItalic'),
    others,
  };
}
