/** Reads Markdown by blocks. Only marked's block rules are used, because a search has no use for its inline tokens. */

import { addElement, addHeading, addTable, finish, newBuilder } from './build.js';
import { addCode } from './code.js';
import type { Extracted } from './elements.js';
import { addHtml } from './html.js';
import { addInline, takeDisplayMath } from './inline.js';
import type { Builder } from './model.js';
import { refuse } from './refuse.js';

export interface BlockToken {
  readonly type: string;
  readonly raw: string;
  readonly text?: string;
  readonly depth?: number;
  readonly lang?: string;
  readonly header?: readonly { readonly text: string }[];
  readonly rows?: readonly (readonly { readonly text: string }[])[];
}

export async function extractMarkdown(text: string): Promise<Extracted> {
  const { Lexer } = (await import('marked')) as unknown as {
    Lexer: new (options: object) => { blockTokens(text: string, into: BlockToken[]): BlockToken[] };
  };
  refuseDeepMarkdown(text);
  const builder = newBuilder();
  const { text: masked, formulas } = takeDisplayMath(text.replace(/\r\n?/g, '\n'));
  let line = 1;
  let before = '';
  const addFormulas = (upTo: number): void => {
    while (formulas[0] && formulas[0].lines[0] < upTo) {
      const formula = formulas.shift();
      if (formula) addElement(builder, 'formula', formula.tex, { context: before.slice(-400) }, formula.lines);
    }
  };
  for (const token of new Lexer({ gfm: true }).blockTokens(masked, [])) {
    const breaks = token.raw.match(/\n/g)?.length ?? 0;
    const leading = /^\n*/.exec(token.raw)?.[0].length ?? 0;
    let trailing = 0;
    while (token.raw.at(-1 - trailing) === '\n') trailing += 1;
    const last = token.type === 'space' ? line : Math.max(line + leading, line + breaks - trailing);
    addFormulas(line);
    await addBlock(builder, token, [line + leading, last]);
    if (token.type !== 'space') before = token.raw;
    line += breaks;
  }
  addFormulas(Number.POSITIVE_INFINITY);
  return finish(builder);
}

/** The parser is recursive for nested quotes and lists, and reads the rest of the text again at each level. */
function refuseDeepMarkdown(text: string): void {
  const deepest = 100;
  for (const line of text.split('\n')) {
    const [lead = ''] = /^(?:[\s>]|[-*+](?=\s)|\d{1,9}[.)](?=\s))*/.exec(line) ?? [];
    const marks = lead.match(/[>*+-]|\d+/g)?.length ?? 0;
    // A list within another is indented by at least two columns.
    const indent = /[*+\d-]/.test(lead) ? lead.search(/\S/) / 2 : 0;
    if (marks + indent > deepest) {
      refuse('too_large', `Lists and quotes are nested deeper than ${deepest} levels`, 'Send something flatter.');
    }
  }
}

async function addBlock(builder: Builder, token: BlockToken, lines: readonly [number, number]): Promise<void> {
  switch (token.type) {
    case 'space':
    case 'hr':
      return;
    case 'heading':
      addHeading(builder, token.depth ?? 1, token.text ?? token.raw, lines[0]);
      return;
    case 'table':
      addTableBlock(builder, token, lines);
      return;
    case 'code':
      await addCodeBlock(builder, token, lines);
      return;
    case 'html':
      await addHtml(builder, token.raw, lines);
      return;
    default:
      addInline(builder, token.raw.trim(), lines, 'markdown');
  }
}

function addTableBlock(builder: Builder, token: BlockToken, lines: readonly [number, number]): void {
  const listTexts = (cells: readonly { readonly text: string }[]) => cells.map(({ text }) => text);
  const rows = (token.rows ?? []).map((cells, index) => ({ cells: listTexts(cells), row: lines[0] + 2 + index }));
  const header = { cells: listTexts(token.header ?? []), row: lines[0] };
  const caption = builder.pending.at(-1)?.text.slice(-300) ?? '';
  const findPlace = (from = lines[0], to = lines[1]) => ({ lines: [from, to] as const });
  addTable(builder, { header, rows, caption, placeOf: findPlace });
}

async function addCodeBlock(builder: Builder, token: BlockToken, lines: readonly [number, number]): Promise<void> {
  const fenced = /^\s*(?:`{3,}|~{3,})/.test(token.raw);
  const language = /^[\w+#-]+/.exec(token.lang ?? '')?.[0].toLowerCase();
  if (language === 'math') addElement(builder, 'formula', token.text ?? '', {}, lines);
  else await addCode(builder, token.text ?? token.raw, language, lines[0] + (fenced ? 1 : 0));
}

/** Plain text: paragraphs with their lines. */
export function extractText(text: string): Extracted {
  const builder = newBuilder();
  const rows = text.replace(/\r\n?/g, '\n').split('\n');
  let start = 0;
  for (let row = 0; row <= rows.length; row += 1) {
    if (row < rows.length && (rows[row] ?? '').trim() !== '') continue;
    if (row > start) addInline(builder, rows.slice(start, row).join('\n'), [start + 1, row], 'html');
    start = row + 1;
  }
  return finish(builder);
}
