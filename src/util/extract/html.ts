/** Reads HTML by blocks, without scripts and styles and without what a reader does not see. Nothing is fetched: the code only walks through the document. */

import { dropHidden } from '../drop-hidden.js';
import { addElement, addHeading, addParagraph, addTable, finish, newBuilder, tidy } from './build.js';
import { addCode } from './code.js';
import type { Extracted } from './elements.js';
import { addInline } from './inline.js';
import { mathText } from './math.js';
import type { Builder, Lines, TableRow, XmlNode } from './model.js';
import { refuse } from './refuse.js';

export interface HtmlWalk {
  readonly builder: Builder;
  /** The place of all its elements, because lines inside a piece of HTML are unknown. */
  readonly lines: Lines;
  text: string;
  /** The caption of the figure or the title of the document around. */
  caption: string;
}

export const hiddenNote = 'Text that a reader does not see was left out.';

export async function extractHtml(html: string): Promise<Extracted> {
  const builder = newBuilder();
  await addHtml(builder, html);
  return finish(builder);
}

export async function addHtml(builder: Builder, html: string, lines?: Lines): Promise<void> {
  refuseDeepHtml(html);
  const { parseHTML } = (await import('linkedom')) as unknown as {
    parseHTML: (html: string) => { document: XmlNode & Parameters<typeof dropHidden>[0] };
  };
  const whole = /<(?:!doctype|html|body)\b/i.test(html) ? html : `<!doctype html><html><body>${html}</body></html>`;
  const walk: HtmlWalk = { builder, lines, text: '', caption: '' };
  const { document } = parseHTML(whole);
  if (dropHidden(document)) builder.notes.push(hiddenNote);
  await walkHtml(walk, document, 0);
  flushHtml(walk);
}

/**
 * Refuses deep documents, because every walk through the tree is recursive. Counts elements that HTML does not close by
 * itself.
 */
function refuseDeepHtml(html: string): void {
  const deepest = 1_000;
  const nesting = /<(\/?)(?:div|ul|ol|dl|table|blockquote|section|article|span|b|i|em|strong|font|details|figure)\b/gi;
  let depth = 0;
  for (const [, closing] of html.matchAll(nesting)) {
    depth = closing ? Math.max(0, depth - 1) : depth + 1;
    if (depth > deepest) {
      refuse('too_large', `Elements are nested deeper than ${deepest} levels`, 'Send something flatter.');
    }
  }
}

function flushHtml(walk: HtmlWalk): void {
  const text = tidy(walk.text);
  walk.text = '';
  if (text !== '') addInline(walk.builder, text, walk.lines, 'html');
}

function isBlock(name: string): boolean {
  return /^(?:address|article|aside|blockquote|body|caption|center|dd|details|dialog|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|head|header|hgroup|hr|html|legend|li|main|menu|nav|ol|option|p|section|summary|table|tbody|td|tfoot|th|thead|tr|ul)$/.test(
    name,
  );
}

async function walkHtml(walk: HtmlWalk, node: XmlNode, depth: number): Promise<void> {
  if (node.nodeType === 3) {
    walk.text += node.nodeValue ?? '';
    return;
  }
  if (node.nodeType !== 1 && node.nodeType !== 9) return;
  const name = node.nodeName.toLowerCase();
  if (depth > 500) {
    walk.text += ` ${node.textContent ?? ''} `;
    return;
  }
  if (await (special.get(name) ?? walkKatex)(walk, node, depth)) return;
  const isApart = isBlock(name);
  if (isApart) flushHtml(walk);
  if (name === 'br' || name === 'td') walk.text += ' ';
  for (const child of node.childNodes) await walkHtml(walk, child, depth + 1);
  if (isApart) flushHtml(walk);
}

/** Reads an element that is more than text. Returns false if its text must still be read. */
type Special = (walk: HtmlWalk, node: XmlNode, depth: number) => boolean | Promise<boolean>;

const skip: Special = () => true;
const special: ReadonlyMap<string, Special> = new Map<string, Special>([
  ['script', walkScript],
  ['style', skip],
  ['template', skip],
  ['noscript', skip],
  ['title', walkTitle],
  ['meta', walkMeta],
  ['img', addImage],
  ['input', addBox],
  ['math', (walk, node) => addFormula(walk, mathText(node))],
  ['figure', walkFigure],
  ['table', walkTable],
  ['pre', walkCode],
  ...[1, 2, 3, 4, 5, 6].map((level): [string, Special] => [
    `h${level}`,
    (walk, node) => walkHeading(walk, node, level),
  ]),
]);

function walkScript(walk: HtmlWalk, node: XmlNode): boolean {
  if (/^math\/tex/.test(node.getAttribute('type') ?? '')) addFormula(walk, node.textContent ?? '');
  return true;
}

/** The document's title; further down, `title` is the title of a drawing. */
function walkTitle({ builder }: HtmlWalk, node: XmlNode, depth: number): boolean {
  if (depth >= 5) return false;
  addHeading(builder, 0, node.textContent ?? '');
  return true;
}

function walkMeta({ builder }: HtmlWalk, node: XmlNode): boolean {
  if (node.getAttribute('name') === 'description') addParagraph(builder, node.getAttribute('content') ?? '');
  return true;
}

async function walkCode(walk: HtmlWalk, node: XmlNode): Promise<boolean> {
  flushHtml(walk);
  const classes = `${node.getAttribute('class')} ${firstChild(node, 'code')?.getAttribute('class')}`;
  const language = /\b(?:language|lang)-([\w+#-]+)/.exec(classes)?.[1];
  await addCode(walk.builder, node.textContent ?? '', language, undefined);
  return true;
}

function walkHeading(walk: HtmlWalk, node: XmlNode, level: number): boolean {
  if (descendants(node, 'img', 1)[0] || descendants(node, 'math', 1)[0]) return walkKatex(walk, node);
  flushHtml(walk);
  addHeading(walk.builder, level, node.textContent ?? '', walk.lines?.[0]);
  return true;
}

/** KaTeX writes every formula twice; an annotation has its TeX source. */
function walkKatex(walk: HtmlWalk, node: XmlNode): boolean {
  if (!/(?:^|\s)katex(?:\s|$)/.test(node.getAttribute?.('class') ?? '')) return false;
  const math = descendants(node, 'math', 1)[0];
  return math !== undefined && addFormula(walk, mathText(math));
}

function addFormula(walk: HtmlWalk, formula: string): true {
  const text = tidy(formula);
  if (text === '') return true;
  addElement(walk.builder, 'formula', text, { context: `${walk.caption} ${walk.text}` }, walk.lines);
  walk.text += ` ${text} `;
  return true;
}

function addImage(walk: HtmlWalk, node: XmlNode): true {
  const alt = tidy(`${node.getAttribute('alt') ?? ''} ${node.getAttribute('title') ?? ''}`);
  const source = node.getAttribute('src') ?? '';
  const url = source.startsWith('data:') ? '' : source.slice(0, 500);
  const text = tidy(`${alt} ${walk.caption}`);
  addElement(walk.builder, 'image', text || url, { context: `${url} ${walk.text}` }, walk.lines);
  if (alt !== '') walk.text += ` ${alt} `;
  return true;
}

function addBox(walk: HtmlWalk, node: XmlNode): true {
  if (/^(?:checkbox|radio)$/i.test(node.getAttribute('type') ?? '')) walk.text += boxText(node);
  return true;
}

const boxText = (node: XmlNode): string => (node.getAttribute('checked') === null ? ' ☐ ' : ' ☒ ');

async function walkFigure(walk: HtmlWalk, node: XmlNode, depth: number): Promise<boolean> {
  flushHtml(walk);
  const before = walk.caption;
  walk.caption = tidy(descendants(node, 'figcaption', 1)[0]?.textContent ?? '');
  for (const child of node.childNodes) await walkHtml(walk, child, depth + 1);
  flushHtml(walk);
  walk.caption = before;
  return true;
}

/** A table that contains another one, or has only one cell, serves the layout and is read as text. */
async function walkTable(walk: HtmlWalk, node: XmlNode, depth: number): Promise<boolean> {
  const rows = descendants(node, 'tr', 100_000);
  const listCells = (row: XmlNode) => [...row.childNodes].filter((cell) => /^t[dh]$/i.test(cell.nodeName));
  const most = rows.reduce((count, row) => Math.max(count, listCells(row).length), 0);
  if (descendants(node, 'table', 2).length > 1 || most * rows.length < 2) return false;
  flushHtml(walk);
  const caption = tidy(descendants(node, 'caption', 1)[0]?.textContent ?? '') || walk.caption;
  const texts = spreadCells(rows.map(listCells));
  const [header, ...others] = texts;
  addTable(walk.builder, {
    header,
    rows: others,
    caption,
    placeOf: () => (walk.lines ? { lines: walk.lines } : {}),
  });
  for (const name of ['img', 'math']) {
    for (const inner of descendants(node, name, 1_000)) await walkHtml(walk, inner, depth + 1);
  }
  walk.text = '';
  return true;
}

/**
 * Puts every cell under its header: one that spans columns leaves the others empty, one that spans rows is repeated in each,
 * because the rows are read apart from one another.
 */
function spreadCells(rows: readonly (readonly XmlNode[])[]): TableRow[] {
  const open: { text: string; rows: number }[] = [];
  return rows.map((row, index) => {
    const cells: string[] = [];
    const takeOpen = (): void => {
      for (let above = open[cells.length]; above && above.rows > 0; above = open[cells.length]) {
        above.rows -= 1;
        cells.push(above.text);
      }
    };
    for (const cell of row) {
      takeOpen();
      const readSpan = (name: string) => Math.min(Math.max(Number(cell.getAttribute(name)) || 1, 1), 100);
      const text = cellText(cell);
      const below = readSpan('rowspan') - 1;
      for (let column = 0; column < readSpan('colspan'); column += 1) {
        // A long text is not repeated.
        open[cells.length] = { text: column === 0 && text.length <= 200 ? text : '', rows: below };
        cells.push(column === 0 ? text : '');
      }
    }
    takeOpen();
    return { cells, row: index + 1 };
  });
}

/** The text of a cell, with a space where a line or a paragraph ends. */
function cellText(cell: XmlNode): string {
  const read = (node: XmlNode, depth: number): string => {
    if (node.nodeType === 3) return node.nodeValue ?? '';
    const name = node.nodeName.toLowerCase();
    if (depth > 500 || /^(?:script|style|template|noscript)$/.test(name)) return '';
    if (name === 'input' && node.getAttribute('type') === 'checkbox') return boxText(node);
    const text = [...node.childNodes].map((child) => read(child, depth + 1)).join('');
    return name === 'br' || isBlock(name) ? ` ${text} ` : text;
  };
  return tidy(read(cell, 0));
}

function firstChild(node: XmlNode, name: string): XmlNode | undefined {
  return [...node.childNodes].find((child) => child.nodeName.toLowerCase() === name);
}

/** Lists the nodes in order, including the given one; `nodeName` may have a prefix. */
function descendants(node: XmlNode, name: string, most: number): XmlNode[] {
  const found: XmlNode[] = [];
  const pending = [node];
  for (let next = pending.pop(); next !== undefined && found.length < most; next = pending.pop()) {
    if (next.nodeType === 1 && next.nodeName.toLowerCase() === name) found.push(next);
    const children = [...next.childNodes];
    for (let at = children.length - 1; at >= 0; at -= 1) {
      const child = children[at];
      if (child) pending.push(child);
    }
  }
  return found;
}
