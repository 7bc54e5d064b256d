/** Reading sources, as the rest of the toolkit sees it: processes that take one apart, each for one workspace. */
import { dirname, join } from 'node:path';
import { createProcessPool } from '../../../util/sandbox/process-pool.js';
import { addressOf, askSandbox, pathOf, sandboxCode } from '../sandbox.js';
import * as build from './build.js';
import * as code from './code.js';
import * as html from './html.js';
import * as inline from './inline.js';
import { declaredKinds } from './kinds.js';
import type { Kit, Library } from './kit.js';
import { languageName } from './languages.js';
import * as markdown from './markdown.js';
import * as math from './math.js';
import * as office from './office.js';
import * as plain from './plain.js';
import * as read from './read.js';

const { styleMap, ...officeParts } = office;
const parts = {
  ...build,
  ...code,
  ...html,
  ...inline,
  ...markdown,
  ...math,
  ...officeParts,
  ...plain,
  ...read,
  languageName,
  declaredKinds,
};
// What one file calls through `kit` must be there under that name.
parts satisfies Omit<Kit, 'load' | 'refuse' | 'data'>;

function addresses(): Record<Library, string> & Record<string, string> {
  const pdf = dirname(pathOf('pdfjs-dist/package.json'));
  return {
    marked: addressOf('marked'),
    linkedom: addressOf('linkedom'),
    pdfjs: addressOf('pdfjs-dist/legacy/build/pdf.mjs'),
    mammoth: addressOf('mammoth'),
    exceljs: addressOf('exceljs'),
    fflate: addressOf('fflate'),
    treeSitter: addressOf('web-tree-sitter'),
    grammars: join(dirname(pathOf('@vscode/tree-sitter-wasm/package.json')), 'wasm'),
    cMaps: `${join(pdf, 'cmaps')}/`,
    fonts: `${join(pdf, 'standard_fonts')}/`,
  };
}

const readers = createProcessPool({
  code: () => `const styleMap = ${JSON.stringify(styleMap)};\n${sandboxCode(parts, read.readSource)}`,
  get data() {
    return addresses();
  },
  memory: () => undefined,
  most: 2,
  mostOfKey: 1,
  idleMs: 30_000,
  mostResidentMb: 1_500,
});

const heapMb = 768;
const timeoutMs = 30_000;

/** Throws `invalid_input` for what is broken, `too_large` and `timeout` for what costs too much. */
export function readInProcess(request: read.ReadRequest, workspaceId: string, signal: AbortSignal) {
  return readers.use({ key: workspaceId, heapMb, signal }, (process) =>
    askSandbox<read.ReadAnswer>(process, request, { timeoutMs, signal }),
  );
}
