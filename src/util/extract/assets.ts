/** Finds files of libraries: grammars of languages, and the tables of characters for PDF. */
import { join } from 'node:path';
import { packageFolder } from '../packages.js';

/** Each throws `invalid_config` if the package is not installed. */
export const findGrammars = (): string => join(packageFolder('@vscode/tree-sitter-wasm', 'knowledge'), 'wasm');

export function findPdfReader() {
  const folder = packageFolder('pdfjs-dist', 'knowledge');
  return {
    module: join(folder, 'legacy', 'build', 'pdf.mjs'),
    cMaps: `${join(folder, 'cmaps')}/`,
    fonts: `${join(folder, 'standard_fonts')}/`,
  };
}
