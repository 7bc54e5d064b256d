/**
 * Finds images and formulas inside running text in one pass from left to right. The place of each closing mark is
 * looked for once and remembered, so that a text full of opening marks takes no longer than any other.
 */
import { addElement, addParagraph } from './build.js';
import type { Builder, Lines } from './model.js';

export interface InlineFinds {
  readonly formulas: { readonly tex: string; readonly at: number }[];
  readonly images: { readonly alt: string; readonly url: string; readonly at: number }[];
}

/** Of each kind, in one text. */
const maxFinds = 5_000;

/** The text itself is not changed. */
export function addInline(builder: Builder, text: string, lines: Lines, syntax: 'markdown' | 'html'): void {
  addParagraph(builder, text, lines);
  if (!/[$\\]|!\[|<img/i.test(text)) return;
  const { formulas, images } = scanInline(text, syntax === 'markdown');
  const around = (at: number): string => text.slice(Math.max(0, at - 250), at + 350);
  const lineAt = (at: number): Lines => {
    if (!lines) return undefined;
    const line = Math.min(lines[1], lines[0] + (text.slice(0, at).match(/\n/g)?.length ?? 0));
    return [line, line];
  };
  for (const [what, { length }] of Object.entries({ formulas, images }))
    if (length > maxFinds) builder.notes.push(`Only the first 5,000 ${what} of a paragraph were taken.`);
  for (const { tex, at } of formulas.slice(0, maxFinds)) {
    addElement(builder, 'formula', tex, { context: around(at) }, lineAt(at));
  }
  for (const { alt, url, at } of images.slice(0, maxFinds)) {
    addElement(builder, 'image', alt || url, { context: `${url} ${around(at)}` }, lineAt(at));
  }
}

function scanInline(text: string, markdown: boolean): InlineFinds {
  const finds: InlineFinds = { formulas: [], images: [] };
  const known = new Map<string, number>();
  const next = (mark: string, from: number): number => {
    const before = known.get(mark);
    if (before !== undefined && (before >= from || before === -1)) return before;
    const found = text.indexOf(mark, from);
    known.set(mark, found);
    return found;
  };
  let at = 0;
  while (at < text.length) {
    const character = text[at];
    let to = at + 1;
    if (character === '\\') to = backslash(text, at, next, finds);
    else if (character === '$') to = dollar(text, at, next, finds, markdown);
    else if (markdown && character === '`') to = codeSpan(text, at, next);
    else if (markdown && character === '!' && text[at + 1] === '[') to = image(text, at, next, finds);
    else if (markdown && character === '<') to = imageTag(text, at, next, finds);
    at = to;
  }
  return finds;
}

export type Next = (mark: string, from: number) => number;

function backslash(text: string, at: number, next: Next, { formulas }: InlineFinds): number {
  const closing = text[at + 1] === '(' ? '\\)' : text[at + 1] === '[' ? '\\]' : undefined;
  const end = closing === undefined ? -1 : next(closing, at + 2);
  if (end < 0 || end - at > 4_000) return at + 2;
  const tex = text.slice(at + 2, end).trim();
  if (tex !== '') formulas.push({ tex, at });
  return end + 2;
}

/** `$5 and $10` is money: a formula begins and ends without a space, and no digit follows it. */
function dollar(text: string, at: number, next: Next, { formulas }: InlineFinds, single: boolean): number {
  if (text[at + 1] === '$') {
    const end = next('$$', at + 2);
    if (end < 0 || end - at > 4_000) return at + 2;
    const tex = text.slice(at + 2, end).trim();
    if (tex !== '') formulas.push({ tex, at });
    return end + 2;
  }
  if (!single || /[\s$]/.test(text[at + 1] ?? ' ')) return at + 1;
  const end = next('$', at + 1);
  if (end < 0 || end - at > 1_000) return at + 1;
  const tex = text.slice(at + 1, end);
  if (/\s$|\\$|\n\s*\n/.test(tex) || /\d/.test(text[end + 1] ?? '')) return at + 1;
  formulas.push({ tex, at });
  return end + 1;
}

function codeSpan(text: string, at: number, next: Next): number {
  let length = 1;
  while (length < 3 && text[at + length] === '`') length += 1;
  const end = next('`'.repeat(length), at + length);
  return end < 0 ? at + length : end + length;
}

function image(text: string, at: number, next: Next, { images }: InlineFinds): number {
  const end = next(']', at + 2);
  if (end < 0 || end - at > 4_000) return at + 2;
  const alt = text.slice(at + 2, end).trim();
  if (text[end + 1] !== '(') {
    if (alt !== '') images.push({ alt, url: '', at });
    return end + 1;
  }
  const close = next(')', end + 2);
  if (close < 0 || close - end > 4_000) return end + 1;
  const target = text.slice(end + 2, close).trim();
  const [, url = target, title = ''] = /^(\S+)\s+["'(](.*)["')]$/s.exec(target) ?? [];
  images.push({ alt: title === '' || title === alt ? alt : `${alt} ${title}`.trim(), url: url.slice(0, 500), at });
  return close + 1;
}

function imageTag(text: string, at: number, next: Next, { images }: InlineFinds): number {
  if (text.slice(at, at + 4).toLowerCase() !== '<img') return at + 1;
  const end = next('>', at);
  if (end < 0 || end - at > 4_000) return at + 1;
  const tag = text.slice(at, end);
  const [, , alt = ''] = /\balt\s*=\s*(["'])([^"']*)/i.exec(tag) ?? [];
  const [, , url = ''] = /\bsrc\s*=\s*(["'])([^"']*)/i.exec(tag) ?? [];
  if (alt !== '' || url !== '') images.push({ alt, url: url.startsWith('data:') ? '' : url.slice(0, 500), at });
  return end + 1;
}

export interface DisplayMath {
  /** Replaces the formulas by blanks. */
  readonly text: string;
  readonly formulas: { tex: string; lines: readonly [number, number] }[];
}

/**
 * Displayed formulas are removed first, because Markdown takes a line that begins with `=` for the underline of a
 * heading.
 */
export function takeDisplayMath(text: string): DisplayMath {
  const rows = text.split('\n');
  const formulas: { tex: string; lines: readonly [number, number] }[] = [];
  let fence: string | undefined;
  for (let row = 0; row < rows.length; row += 1) {
    const line = (rows[row] ?? '').trim();
    const mark = /^(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence) && line === mark) fence = undefined;
      continue;
    }
    if (mark !== undefined) {
      fence = mark;
      continue;
    }
    const end =
      line.startsWith('$$') || line.startsWith('\\[') || line.startsWith('\\begin{') ? endOfMath(rows, row) : -1;
    if (end < 0) continue;
    const tex = rows
      .slice(row, end + 1)
      .join('\n')
      .trim();
    formulas.push({ tex: tex.replace(/^(?:\$\$|\\\[)|(?:\$\$|\\\])$/g, '').trim(), lines: [row + 1, end + 1] });
    for (let masked = row; masked <= end; masked += 1) rows[masked] = '';
    row = end;
  }
  return { text: rows.join('\n'), formulas: formulas.filter(({ tex }) => tex !== '') };
}

/** Returns the mark that ends the formula that begins with this line. */
function getClosing(first: string): string | undefined {
  if (first.startsWith('$$')) return '$$';
  if (first.startsWith('\\[')) return '\\]';
  const name = /^\\begin\{((?:equation|align|gather|multline|eqnarray)\*?)\}/.exec(first)?.[1];
  return name === undefined ? undefined : `\\end{${name}}`;
}

function endOfMath(rows: readonly string[], from: number): number {
  const closing = getClosing((rows[from] ?? '').trim());
  if (closing === undefined) return -1;
  for (let row = from; row < Math.min(rows.length, from + 100); row += 1) {
    const line = (rows[row] ?? '').trim();
    if (line === '' && closing === '\\]') return -1;
    if (line.endsWith(closing) && (row > from || line.length >= closing.length * 2)) return row;
    // Text follows the closing mark, so this is a paragraph, whose formulas are found when it is read.
    if (row === from && line.indexOf(closing, 2) >= 0) return -1;
  }
  return -1;
}
