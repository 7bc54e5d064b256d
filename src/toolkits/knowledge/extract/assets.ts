/** Files of libraries, by path: grammars of languages, and what the characters of a PDF mean. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const { resolve } = createRequire(import.meta.url);
const pdf = dirname(resolve('pdfjs-dist/package.json'));

export const grammars = join(dirname(resolve('@vscode/tree-sitter-wasm/package.json')), 'wasm');
export const cMaps = `${join(pdf, 'cmaps')}/`;
export const fonts = `${join(pdf, 'standard_fonts')}/`;
